/** A commit whose outcome the page does not know yet. */
export type PendingCommit = Readonly<{ key: string; shown: string; revision: number }>;

type Owner = Readonly<{ account: string; address: string }>;
/** The name in the session storage. Each person has one pending commit for each draft. */
const nameOf = ({ account, address }: Owner) => `charter-pending-commit ${account} ${address}`;

/**
 * The pending commits of this tab. After a reload or a new sign-in, the page repeats the request with the same key. The
 * value contains no commands, because the address of the draft contains them.
 */
export const pendingCommit = {
  /** The pending commit of this person for this draft. */
  read(owner: Owner): PendingCommit | undefined {
    try {
      return (JSON.parse(sessionStorage.getItem(nameOf(owner)) ?? 'null') as PendingCommit | null) ?? undefined;
    } catch {
      return undefined; // without session storage, a reload forgets the commit
    }
  },
  keep(owner: Owner, commit: PendingCommit): void {
    try {
      sessionStorage.setItem(nameOf(owner), JSON.stringify(commit));
    } catch {
      // without session storage, a reload forgets the commit
    }
  },
  /** Removes the commit with this key. A newer commit of the same draft stays. */
  forget(owner: Owner, { key }: PendingCommit): void {
    if (this.read(owner)?.key === key) sessionStorage.removeItem(nameOf(owner));
  },
};
