import type { OrganizationChange } from '../../api';
import { outcomes, releases } from './has-pending-changes';

/**
 * A change of an organization whose outcome the page does not know yet.
 */
export type PendingChange = Readonly<{
  key: string;
  revision: number | undefined;
  method: OrganizationChange['method'];
  path: string;
  body?: object;
  /** If the change is the commit of a draft: the draft, as in the fragment of the address. */
  draft?: string;
  /**
   * Whether the page does not know the body. The tab does not store a body in which a person may have typed a name or
   * an address, so the page cannot repeat such a request after a reload. The tab stores the body of the commit of a
   * draft, because the address contains the text of the draft, too.
   */
  isIncomplete: boolean;
}>;

/** A commit of a draft whose outcome the page does not know yet. */
export type PendingCommit = Readonly<{ key: string; revision: number; body: object; draft: string }>;

type PendingPlace = Readonly<{ account: string; id: string }>;

/**
 * The name of the item in session storage: one item for each person and organization. `has-pending-changes.ts` looks
 * for the beginning of this name.
 */
const nameOf = ({ account, id }: PendingPlace) => `charter-pending-changes ${account} ${id}`;
const roles: readonly unknown[] = ['owner', 'admin', 'member'];

/** Whether a value contains no text except the names of roles. */
const isWithoutText = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).every(isWithoutText)
    : typeof value !== 'string' || roles.includes(value);

/** The `Idempotency-Key`s of the changes whose requests a control or a note of this page repeats. */
const claimed = new Set<string>();
/** The bodies that the tab must not store, by `Idempotency-Key`. After a reload, the page does not know them. */
const unstoredBodies = new Map<string, object>();

/**
 * The changes of this tab whose outcome is open. After a reload, a new sign-in, or a move to another page,
 * `PendingChanges` repeats each request with the same `Idempotency-Key`.
 */
export const pendingChanges = {
  begin(
    place: PendingPlace,
    { method, path }: OrganizationChange,
    sent: Readonly<Pick<PendingChange, 'key' | 'revision' | 'draft'> & { body?: object | undefined }>,
  ): void {
    const { key, revision, body, draft } = sent;
    claimed.add(key);
    const isIncomplete = draft === undefined && !isWithoutText(body);
    if (body && isIncomplete) unstoredBodies.set(key, body);
    const stored = body && !isIncomplete ? { body } : {};
    write(place, [...read(place), { key, revision, method, path, ...stored, ...(draft && { draft }), isIncomplete }]);
  },
  /** Forgets a change whose outcome is known. */
  settle(place: PendingPlace, key: string): void {
    claimed.delete(key);
    unstoredBodies.delete(key);
    write(
      place,
      read(place).filter((one) => one.key !== key),
    );
    outcomes.announce();
  },
  /** Returns the commit of a draft whose outcome is unknown. Meanwhile the person can commit no other draft. */
  commitIn: (place: PendingPlace): PendingCommit | undefined =>
    read(place).find((change): change is PendingChange & PendingCommit => change.draft !== undefined),
  /** Call this function before the draft page repeats the request of its commit: no other part then repeats it. */
  hold: (key: string): void => void claimed.add(key),
  /** Call this function when a control stops repeating a change: `PendingChanges` then repeats the change's request. */
  release(key: string): void {
    claimed.delete(key);
    releases.announce();
  },
  /**
   * Returns the changes whose requests no part of the page repeats. After the call, the caller must repeat the returned
   * requests.
   * @param shown the draft that the draft page shows; this page repeats the request of its own commit
   */
  claim(place: PendingPlace, shown: string): readonly PendingChange[] {
    const unclaimed = read(place).filter(({ key, draft }) => !claimed.has(key) && draft !== shown);
    for (const { key } of unclaimed) claimed.add(key);
    return unclaimed.map((change) => {
      const body = unstoredBodies.get(change.key);
      return body ? { ...change, body, isIncomplete: false } : change;
    });
  },
};

function read(place: PendingPlace): readonly PendingChange[] {
  try {
    return (JSON.parse(sessionStorage.getItem(nameOf(place)) ?? '[]') as PendingChange[] | null) ?? [];
  } catch {
    return []; // without session storage, a reload forgets the changes
  }
}

function write(place: PendingPlace, changes: readonly PendingChange[]): void {
  try {
    if (changes.length === 0) sessionStorage.removeItem(nameOf(place));
    else sessionStorage.setItem(nameOf(place), JSON.stringify(changes));
  } catch {
    // without session storage, a reload forgets the changes
  }
}
