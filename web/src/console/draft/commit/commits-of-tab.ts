/** A commit whose outcome the page does not know yet. */
export type PendingCommit = Readonly<{ key: string; shown: string; revision: number }>;

/** The first and the last event of a commit, by revision. */
export type CommittedEvents = Readonly<{ first: number; last: number }>;

type CommitPlace = Readonly<{ account: string; address: string }>;
/** The name of the item in session storage: one item for each person and draft. */
const nameOf = ({ account, address }: CommitPlace) => `charter-pending-commit ${account} ${address}`;

/**
 * The commits that a person has begun in this browser tab. After a reload or a new sign-in, the page repeats the
 * request of a pending commit with the same `Idempotency-Key`. The page also says which drafts this tab has committed.
 * The stored item contains no commands, because the address of the draft contains them.
 */
export const commitsOfTab = {
  /** The pending commit of this person for this draft, or the events of the last commit. */
  read(place: CommitPlace): PendingCommit | CommittedEvents | undefined {
    try {
      return (JSON.parse(sessionStorage.getItem(nameOf(place)) ?? 'null') as PendingCommit | null) ?? undefined;
    } catch {
      return undefined; // without session storage, a reload forgets the commit
    }
  },
  keep(place: CommitPlace, commit: PendingCommit | CommittedEvents): void {
    try {
      sessionStorage.setItem(nameOf(place), JSON.stringify(commit));
    } catch {
      // without session storage, a reload forgets the commit
    }
  },
  /** Replaces the pending commit with this key by its events, or removes it if there are none. A newer commit stays. */
  settle(place: CommitPlace, { key }: PendingCommit, events: CommittedEvents | undefined): void {
    const kept = this.read(place);
    if (!kept || !('key' in kept) || kept.key !== key) return;
    if (events) this.keep(place, events);
    else sessionStorage.removeItem(nameOf(place));
  },
};
