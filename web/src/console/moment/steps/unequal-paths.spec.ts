import { unequalPaths } from './unequal-paths';

describe('The paths at which two JSON values differ', () => {
  it.each([
    ['equal values with fields in another order', { a: 1, b: [null] }, { b: [null], a: 1 }, []],
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }, ['/a/b']],
    ['a missing and an additional field', { a: 1 }, { b: 1 }, ['/a', '/b']],
    ['null and an object', { a: null }, { a: { b: 1 } }, ['/a']],
    ['a missing field and null', {}, { a: null }, ['/a']],
    ['a list and an object', { a: [1] }, { a: { 0: 1 } }, ['/a']],
    ['lists of another length', { a: [1, 2] }, { a: [1, 3, 4] }, ['/a/1', '/a/2']],
    ['names with the signs of a JSON pointer', { 'a/b': { '~': 1 } }, { 'a/b': {} }, ['/a~1b/~0']],
  ])('of %s', (_, one, other, paths) => expect(unequalPaths(one, other)).toEqual(paths));
});
