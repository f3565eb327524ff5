/**
 * The evidence in a link: a revision and the beginning of the hash of its event. By the evidence in a link, a page
 * detects another history.
 */
export type Evidence = Readonly<{ revision: number; digits: string }>;

const DIGITS = 16;

/** Reads the address parameter `head`; undefined if its value has another form than `REVISION.HASH`. */
export function readEvidence(text: string): Evidence | undefined {
  const [, revision, digits] = /^(\d{1,15})\.([0-9a-f]{16})$/.exec(text) ?? [];
  return revision === undefined || digits === undefined ? undefined : { revision: Number(revision), digits };
}

/** The part of a hash that a link contains. */
export const shownDigits = (hash: string): string => hash.slice(0, DIGITS);

export const isSameHash = ({ digits }: Evidence, hash: string): boolean => shownDigits(hash) === digits;

/** The address parameter `head` of a link: the revision and the beginning of the event's hash. */
export const evidenceOf = (revision: number, hash: string): string => `${revision}.${shownDigits(hash)}`;
