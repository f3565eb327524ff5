import type { Receipt } from '@charter/client';

/** The first and the last event of a commit, by revision. */
export type CommittedEvents = Readonly<{ first: number; last: number }>;

type CommitPlace = Readonly<{ account: string; address: string }>;
/** The name of the item in session storage: one item for each person and draft. */
const nameOf = ({ account, address }: CommitPlace) => `charter-committed-draft ${account} ${address}`;

/** The drafts that a person has committed in this browser tab, each with the events of its last commit. */
export const commitsOfTab = {
  read(place: CommitPlace): CommittedEvents | undefined {
    try {
      return (JSON.parse(sessionStorage.getItem(nameOf(place)) ?? 'null') as CommittedEvents | null) ?? undefined;
    } catch {
      return undefined; // without session storage, the tab does not know its commits
    }
  },
  /** Keeps the events of a commit. A commit without events changes nothing here. */
  keep(place: CommitPlace, { revision, events }: Receipt): void {
    if (events.length === 0) return;
    try {
      const committed: CommittedEvents = { first: revision - events.length + 1, last: revision };
      sessionStorage.setItem(nameOf(place), JSON.stringify(committed));
    } catch {
      // without session storage, the tab does not know its commits
    }
  },
};
