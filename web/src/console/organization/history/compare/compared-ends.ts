import { isIsoMoment, isRevision } from '../../../moment/page-moment';

/** The two compared revisions or moments (ends), in the form of the parameters in the page's address and in the API. */
export type ComparedEnds = Readonly<{ from: string; to: string; valid?: string }>;

/** The ends of a comparison in the page's address; undefined if a value is neither a revision nor a moment. */
export function endsIn(search: URLSearchParams, head: number): ComparedEnds | undefined {
  const from = search.get('from') ?? String(Math.max(0, head - 1));
  const to = search.get('to') ?? String(head);
  const valid = search.get('valid');
  const isEnd = (end: string) => isRevision(end) || isIsoMoment(end);
  if (!isEnd(from) || !isEnd(to) || (valid !== null && !isIsoMoment(valid))) return undefined;
  return { from, to, ...(valid !== null && { valid }) };
}

/**
 * Whether `from` is later than `to`. The service compares only forwards.
 * @param revisionAtMoment if one end is a moment and the other a revision: the last revision at this moment; undefined
 * for a moment before the founding
 */
export function isBackwards({ from, to }: ComparedEnds, revisionAtMoment = -1): boolean {
  if (isIsoMoment(from) && isIsoMoment(to)) return Date.parse(from) > Date.parse(to);
  const revisionOf = (end: string) => (isRevision(end) ? Number(end) : revisionAtMoment);
  return revisionOf(from) > revisionOf(to);
}

/** The query string of the comparison with other ends, and with the same moment of the page. */
export function withEnds(search: string, ends: ComparedEnds): string {
  const asOf = new URLSearchParams(search).get('asOf');
  return new URLSearchParams({ ...ends, ...(asOf !== null && { asOf }) }).toString();
}

export const addressOf = (ends: ComparedEnds): string => new URLSearchParams(ends).toString();
