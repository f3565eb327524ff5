import { isIsoMoment, isRevision } from '../../../moment/page-moment';

/** The two ends of a comparison, as the address and the service name them. */
export type ComparedEnds = Readonly<{ from: string; to: string; valid?: string }>;

/** The ends in an address; undefined if a value is neither a revision nor a moment. */
export function endsIn(search: URLSearchParams, head: number): ComparedEnds | undefined {
  const from = search.get('from') ?? String(Math.max(0, head - 1));
  const to = search.get('to') ?? String(head);
  const valid = search.get('valid');
  const isEnd = (end: string) => isRevision(end) || isIsoMoment(end);
  if (!isEnd(from) || !isEnd(to) || (valid !== null && !isIsoMoment(valid))) return undefined;
  return { from, to, ...(valid !== null && { valid }) };
}

/** Whether `from` is later than `to`. The service compares only forwards. */
export function isBackwards({ from, to }: ComparedEnds): boolean {
  if (isRevision(from) && isRevision(to)) return Number(from) > Number(to);
  return isIsoMoment(from) && isIsoMoment(to) && Date.parse(from) > Date.parse(to);
}

export const addressOf = (ends: ComparedEnds): string => new URLSearchParams(ends).toString();
