import * as fc from 'fast-check';
import { isSafeToCopy } from './safe-to-copy';

const isSafe = (json: string) => isSafeToCopy(json, JSON.parse(json));

describe('A stored text', () => {
  it('is safe to copy if `JSON.stringify` returned it and its strings contain no quotation mark, space or colon', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: fc.constantFrom('a', 'é', '\u2028', '\n', '\\') }), (value) => {
        const text = JSON.stringify(value);
        expect(isSafe(text)).toBe(true);
      }),
    );
  });

  it('is not safe to copy if it repeats a field', () => {
    const letters = fc.constantFrom('"', ':', ' ', '\\', 'a', '\n');
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: letters }), fc.string({ unit: letters }), (value, name) => {
        const printed = JSON.stringify(name);
        expect(isSafe(`{${printed}:1,${printed} :2,"b":${JSON.stringify(value)}}`)).toBe(false);
        expect(isSafe(`{${printed}:1,"c":{${printed}:2,${printed}:${JSON.stringify(value)}}}`)).toBe(false);
      }),
    );
  });

  it.each(['{\n"a":1}', '{"a":\r1}'])('is not safe to copy if it contains a line break: %j', (text) =>
    expect(isSafe(text)).toBe(false),
  );

  it.each(['{"a"\t:1,"a":1,"b":"\\":"}'])('is not safe to copy if a tab hides a repeated field: %j', (text) =>
    expect(isSafe(text)).toBe(false),
  );
});
