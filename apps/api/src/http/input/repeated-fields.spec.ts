import * as fc from 'fast-check';
import { fieldsInText, isPlainLine, repeatsFields } from './repeated-fields';

describe('A repeated field', () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a" : 1, "b":[{"c":":","c":2}]}',
    '{"a\\"":{},"a\\u0022":{}}',
    '{"__proto__":1,"__proto__":2}',
    '{"a"\t:1,"a":1,"b":"\\":"}',
  ])('is found in %s', (json) => {
    expect(repeatsFields(json, JSON.parse(json))).toBe(true);
    expect(isPlainLine(json, JSON.parse(json))).toBe(false);
  });

  it('is found in no text that `JSON.stringify` returned', () => {
    const values = fc.jsonValue({ stringUnit: fc.constantFrom('"', ':', '\\', 'a', '\n') });
    fc.assert(
      fc.property(values, (value) => {
        for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)])
          expect(repeatsFields(text, JSON.parse(text))).toBe(false);
      }),
    );
  });

  it('counts as two fields of a text', () => expect(fieldsInText('{"a":1,"a":{"b":":"}}')).toBe(3));

  it('is in no plain line, and a text without quotation marks and colons in its strings is a plain line', () => {
    const letters = fc.constantFrom('"', ':', ' ', '\\', 'a', '\n');
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: letters }), fc.string({ unit: letters }), (value, name) => {
        const repeated = `{${JSON.stringify(name)}:1,${JSON.stringify(name)} :2,"b":${JSON.stringify(value)}}`;
        expect(isPlainLine(repeated, JSON.parse(repeated))).toBe(false);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: fc.constantFrom('a', 'é', '\n', '\\') }), (value) => {
        const text = JSON.stringify(value);
        expect(isPlainLine(text, JSON.parse(text))).toBe(true);
      }),
    );
  });
});
