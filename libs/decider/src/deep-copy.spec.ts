import fc from 'fast-check';
import { deepCopy } from './deep-copy';

describe('A deep copy', () => {
  it('equals the data, with the keys in the same order', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(deepCopy(JSON.parse(text) as unknown))).toBe(text);
      }),
    ));

  it('keeps a field with the name __proto__, and fields with the value undefined', () => {
    const value = JSON.parse('{"a":{"__proto__":{"b":[1]}}}') as { a: object };
    expect(JSON.stringify(deepCopy(value))).toBe(JSON.stringify(value));
    expect(Object.keys(deepCopy({ a: undefined }))).toEqual(['a']);
  });

  it('shares no object with the data, and can be changed if the data is frozen', () => {
    const list = Object.freeze([Object.freeze({ seat: 1 })]);
    const value = Object.freeze({ list, again: list });
    const copy = deepCopy(value) as unknown as Record<'list' | 'again', { seat: number }[]>;
    copy.list[0]!.seat = 2;
    copy.list.push({ seat: 3 });
    expect(copy).toEqual({ list: [{ seat: 2 }, { seat: 3 }], again: [{ seat: 1 }] });
    expect(value).toEqual({ list: [{ seat: 1 }], again: [{ seat: 1 }] });
  });
});
