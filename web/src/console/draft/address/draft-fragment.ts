/** The beginning of a fragment with a draft. Without further text, the draft has no command yet. */
export const DRAFT_NAME = '#draft=';

/** The part of a fragment that contains the draft, such as `#draft=…`; undefined without a draft. */
export const draftIn = (fragment: string): string | undefined =>
  fragment.startsWith(DRAFT_NAME) ? fragment.split('&')[0] : undefined;

/** The search text of a list in a fragment; empty without a search. */
export const searchIn = (fragment: string): string => new URLSearchParams(fragment.slice(1)).get('q') ?? '';

/** A fragment with a draft and with the search text of a list. Each of the two may be missing. */
export function fragmentOf({ draft, q }: Readonly<{ draft: string | undefined; q: string }>): string {
  const search = q === '' ? '' : new URLSearchParams({ q }).toString();
  if (draft === undefined) return search === '' ? '' : `#${search}`;
  return search === '' ? draft : `${draft}&${search}`;
}
