/** The last row of a page: the number of rows up to this row, and the row's id. */
export type PageEnd = readonly [rows: number, id: string];

/** The rows of a page, the end after which the next page begins, and the number of all rows of the list. */
export type Page<Row> = Readonly<{ rows: readonly Row[]; next: PageEnd | null; inAll: number }>;

/**
 * @param after the end of the previous page. If the row at this end was removed, the page begins with the row that now
 * has the removed row's index.
 */
export function pageOf<Row>(
  all: readonly Row[],
  { after, limit }: Readonly<{ after: PageEnd | undefined; limit: number }>,
  idOf: (row: Row) => string,
): Page<Row> {
  const begin = after ? beginAfter(all.map(idOf), after) : 0;
  const rows = all.slice(begin, begin + limit);
  const end = begin + rows.length;
  const last = rows.at(-1);
  return { rows, next: last !== undefined && end < all.length ? [end, idOf(last)] : null, inAll: all.length };
}

function beginAfter(ids: readonly string[], [rows, id]: PageEnd): number {
  const found = ids.indexOf(id);
  return found < 0 ? Math.max(0, rows - 1) : found + 1;
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Orders rows by a text that people read. Rows without a text come last; rows with equal texts are ordered by id. */
export const byText =
  <Row>(textOf: (row: Row) => string | null | undefined, idOf: (row: Row) => string) =>
  (one: Row, other: Row): number => {
    const [text, otherText] = [textOf(one) ?? '', textOf(other) ?? ''];
    const order = Number(text === '') - Number(otherText === '') || collator.compare(text, otherText);
    return order || (idOf(one) < idOf(other) ? -1 : 1);
  };

/**
 * Whether one of the texts contains the sought text. Upper and lower case count as equal, and so do different Unicode
 * forms of a character.
 */
export function isMatch(sought: string, texts: readonly (string | null | undefined)[]): boolean {
  const plain = folded(sought.trim());
  return texts.some((text) => text != null && folded(text).includes(plain));
}
const folded = (text: string) => text.normalize('NFKC').toLocaleLowerCase('en');
