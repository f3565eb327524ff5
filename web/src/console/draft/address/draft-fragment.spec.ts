import { draftIn, fragmentOf, searchIn } from './draft-fragment';

describe('The fragment of a page', () => {
  it.each([
    ['', undefined, ''],
    ['#draft=', '#draft=', ''],
    ['#draft=a-_9', '#draft=a-_9', ''],
    ['#q=ben+o', undefined, 'ben o'],
    ['#draft=a&q=ben', '#draft=a', 'ben'],
  ])('%j contains the draft %j and the search text %j', (fragment, draft, q) => {
    expect([draftIn(fragment), searchIn(fragment)]).toEqual([draft, q]);
    expect(fragmentOf({ draft, q })).toBe(fragment);
  });
});
