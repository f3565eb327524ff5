import fc from 'fast-check';
import { byText, isMatch, pageOf, type PageEnd } from './page-of';

const itself = (row: string) => row;
function* pages(all: () => readonly string[], limit: number) {
  for (let after: PageEnd | undefined; ;) {
    const page = pageOf(all(), { after, limit }, itself);
    yield page;
    if (page.next === null) return;
    after = page.next;
  }
}

describe('Page of a list', () => {
  it('contains the number of all rows, and leads to the next page, so that a client reads every row once', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.integer({ min: 1, max: 9 }), (all, limit) => {
        const read = [...pages(() => all, limit)];
        expect(read.flatMap(({ rows }) => rows)).toEqual(all);
        expect(read.every(({ inAll, rows }) => inAll === all.length && rows.length <= limit)).toBe(true);
      }),
    );
  });

  it('continues without a gap if rows of the previous page were removed or added', () => {
    const first = pageOf(['a', 'b', 'c', 'd'], { after: undefined, limit: 2 }, itself);
    expect(first.next).toEqual([2, 'b']);
    const rest = (all: readonly string[]) => pageOf(all, { after: first.next!, limit: 2 }, itself).rows;
    expect([rest(['a', 'c', 'd']), rest(['0', 'a', 'b', 'c', 'd']), rest([])]).toEqual([['c', 'd'], ['c', 'd'], []]);
  });
});

describe('Order by text', () => {
  it('ignores case and accents, orders numbers by size, and puts rows without a text last', () => {
    const rows = ['', 'site 10', 'Émile', 'site 9', 'ada', 'Zoë', 'Ada'].map((text, id) => ({ text, id: String(id) }));
    const sorted = rows.toSorted(
      byText(
        ({ text }) => text,
        ({ id }) => id,
      ),
    );
    expect(sorted.map(({ text }) => text)).toEqual(['ada', 'Ada', 'Émile', 'site 9', 'site 10', 'Zoë', '']);
  });
});

describe('Search text', () => {
  it.each([
    ['MÜN', ['münchen.de'], true],
    [' shop ', ['The Shop'], true],
    ['%', ['shop'], false],
    ['x', [null, undefined, 'shop'], false],
  ])('%s is found in %j: %s', (sought, texts, found) => {
    expect(isMatch(sought, texts)).toBe(found);
  });
});
