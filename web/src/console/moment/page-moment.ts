/**
 * The point in time that a page of an organization shows. The two fields have the same form as the parameters in the
 * page's address and in the API. If both fields are missing, the page shows the present.
 */
export type PageMoment = Readonly<{
  /** A revision or a moment; the page shows everything that was recorded by then. */
  asOf?: string;
  /** A moment; the page shows the state that was in force then. */
  valid?: string;
}>;

export const PRESENT: PageMoment = {};

export const isPastMoment = ({ asOf, valid }: PageMoment): boolean => asOf !== undefined || valid !== undefined;

/** The moment in an address; undefined if the address has a value that is neither a revision nor a moment. */
export function momentIn(search: URLSearchParams): PageMoment | undefined {
  const [asOf, valid] = [search.get('asOf'), search.get('valid')];
  if (asOf !== null && !isRevision(asOf) && !isIsoMoment(asOf)) return undefined;
  if (valid !== null && !isIsoMoment(valid)) return undefined;
  return { ...(asOf !== null && { asOf }), ...(valid !== null && { valid }) };
}

/**
 * The query parameters of an address with another moment. Query parameters that do not belong to the moment stay the
 * same.
 */
export function withMoment(search: URLSearchParams, { asOf, valid }: PageMoment): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of ['asOf', 'valid', 'head']) next.delete(name);
  if (asOf !== undefined) next.set('asOf', asOf);
  if (valid !== undefined) next.set('valid', valid);
  return next;
}

/**
 * The moment with which an address compares the page; undefined if the address compares with nothing, or if its value
 * is not a moment. Both sides of a comparison are in force at the same moment.
 */
export function comparedIn(search: URLSearchParams): PageMoment | undefined {
  const asOf = search.get('vs') ?? 'now';
  return asOf === 'now' ? PRESENT : momentIn(withMoment(search, { ...momentIn(search), asOf }));
}

/** The part of an address that the links between pages keep: the moment, and the other side of the comparison. */
export function keptSearch(search: URLSearchParams): string {
  const kept = withMoment(new URLSearchParams(), momentIn(search) ?? PRESENT);
  const vs = search.get('vs') ?? 'now';
  if (vs === 'none' || (vs !== 'now' && comparedIn(search))) kept.set('vs', vs);
  return kept.toString();
}

/** A query with these parameters, then the part that links keep (`keptSearch`). */
export const withParameters = (query: Readonly<Record<string, string>>, kept: string): string =>
  [new URLSearchParams(query).toString(), kept].filter(Boolean).join('&');

export const isRevision = (text: string): boolean => /^\d{1,15}$/.test(text);

/** Whether the text is a moment in UTC that exists: `2026-02-30` does not. */
export function isIsoMoment(text: string): boolean {
  const [day] = /^\d{4}-\d\d-\d\d(?=T\d\d:\d\d(:\d\d(\.\d+)?)?Z$)/.exec(text) ?? [];
  const time = Date.parse(text);
  return day !== undefined && !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
