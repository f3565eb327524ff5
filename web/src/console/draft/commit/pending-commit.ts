/** A commit whose outcome the page does not know yet. */
export type PendingCommit = Readonly<{ key: string; shown: string; revision: number }>;

const NAME = 'charter-pending-commit';
type Owner = Readonly<{ account: string; address: string }>;

/**
 * The pending commit of this tab. After a reload or a new sign-in, the page repeats the request with the same key. The
 * storage contains no commands, because the address of the draft contains them.
 */
export const pendingCommit = {
  /** The pending commit of the same person for the same draft. */
  read({ account, address }: Owner): PendingCommit | undefined {
    try {
      const kept = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as (Owner & PendingCommit) | null;
      if (kept?.account !== account || kept.address !== address) return undefined;
      return { key: kept.key, shown: kept.shown, revision: kept.revision };
    } catch {
      return undefined; // without session storage, a reload forgets the commit
    }
  },
  keep(owner: Owner, commit: PendingCommit): void {
    try {
      sessionStorage.setItem(NAME, JSON.stringify({ ...owner, ...commit }));
    } catch {
      // without session storage, a reload forgets the commit
    }
  },
  forget(): void {
    try {
      sessionStorage.removeItem(NAME);
    } catch {
      // there is nothing to forget
    }
  },
};
