import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson } from './canonical';

describe('Canonical form', () => {
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the number with the bits %s as %s (RFC 8785, appendix B)', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it('writes values like the example in RFC 8785, 3.2.2', () => {
    const value: unknown = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts keys by their UTF-16 code units, like the example in RFC 8785, 3.2.3', () => {
    const value = { '€': 5, '\r': 1, '\ufb33': 7, 1: 2, '😀': 6, '\u0080': 3, ö: 4 };
    // JavaScript moves the key '1' to the front, because '1' is an array index.
    expect(Object.values(JSON.parse(canonicalJson(value)) as object)).toEqual([2, 1, 3, 4, 5, 6, 7]);
    expect(canonicalJson(value)).toBe('{"\\r":1,"1":2,"\u0080":3,"ö":4,"€":5,"😀":6,"\ufb33":7}');
  });

  it.each([NaN, Infinity, '\ud800', { '\udead': 1 }, { list: [-Infinity] }])(
    'refuses a value that JSON cannot represent',
    (value) => {
      expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ kind: 'invalid' }) as Error);
    },
  );

  it('is the text that the library `canonicalize` writes, or is refused if the library refuses the value', () => {
    const anyKey = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a', 'B', '10', '9', '__proto__', 'toJSON', '\ud800', 'é', 'constructor'),
    );
    const anyValue = fc.oneof(
      fc.anything({ key: anyKey, withDate: true, withNullPrototype: true, withSparseArray: true, maxDepth: 4 }),
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\\ud800', '\ud800', '\udead\ud800', '😀', '\u2028', -0),
    );
    const outcome = (write: () => string | undefined) => {
      try {
        return write() ?? 'refused';
      } catch {
        return 'refused';
      }
    };
    fc.assert(
      fc.property(fc.dictionary(anyKey, anyValue), anyValue, (fields, value) => {
        for (const any of [value, fields, { fields, value }, [value, fields, undefined]])
          expect(outcome(() => canonicalJson(any))).toBe(outcome(() => canonicalize(any)));
      }),
      { numRuns: 300 },
    );
  });

  it('exists for values with any number of levels, but not for a cycle', () => {
    const deep = `${'{"b":['.repeat(5_000)}${']}'.repeat(5_000)}`;
    expect(canonicalJson(JSON.parse(deep))).toBe(deep);
    const cycle: Record<string, unknown> = {};
    Object.assign(cycle, { one: cycle, other: cycle });
    expect(() => canonicalJson(cycle)).toThrow(expect.objectContaining({ kind: 'invalid' }) as Error);
  });
});
