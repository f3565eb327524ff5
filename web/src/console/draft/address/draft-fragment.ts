/** The beginning of a URL fragment with a draft. Without further text, the draft has no command yet. */
export const DRAFT_NAME = '#draft=';

/** The part of a URL fragment that contains the draft, such as `#draft=…`; undefined without a draft. */
export const draftIn = (fragment: string): string | undefined =>
  fragment.startsWith(DRAFT_NAME) ? fragment.split('&')[0] : undefined;

/** The text in a URL fragment by which a list is filtered; empty without such a text. */
export const searchIn = (fragment: string): string => new URLSearchParams(fragment.slice(1)).get('q') ?? '';

/** A URL fragment with a draft and with the text by which a list is filtered. Each of the two may be missing. */
export function fragmentOf({ draft, q }: Readonly<{ draft: string | undefined; q: string }>): string {
  const search = q === '' ? '' : new URLSearchParams({ q }).toString();
  if (draft === undefined) return search === '' ? '' : `#${search}`;
  return search === '' ? draft : `${draft}&${search}`;
}
