import * as fc from 'fast-check';
import { repeatsFields } from './repeated-fields';

describe('A repeated field', () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"a":{"b":":"}}',
    '{"a" : 1, "b":[{"c":":","c":2}]}',
    '{"a\\"":{},"a\\u0022":{}}',
    '{"__proto__":1,"__proto__":2}',
    '{"a"\t:1,"a":1,"b":"\\":"}',
  ])('is found in %s', (json) => {
    expect(repeatsFields(json, JSON.parse(json))).toBe(true);
  });

  it('is not found in a text that `JSON.stringify` returned', () => {
    const values = fc.jsonValue({ stringUnit: fc.constantFrom('"', ':', '\\', 'a', '\n') });
    fc.assert(
      fc.property(values, (value) => {
        for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)])
          expect(repeatsFields(text, JSON.parse(text))).toBe(false);
      }),
    );
  });
});
