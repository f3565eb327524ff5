import { beginningOf, typed } from './typed-text';

describe('A long text that a person typed', () => {
  const letter = '\u{1D11E}'; // a character of two UTF-16 units

  it('is cut after 200 characters, and never within a character', () => {
    expect(beginningOf('a'.repeat(201))).toBe(`${'a'.repeat(200)}…`);
    expect(beginningOf(`${'a'.repeat(199)}${letter}b`)).toBe(`${'a'.repeat(199)}${letter}…`);
    expect(beginningOf(letter.repeat(10_000))).toBe(`${letter.repeat(200)}…`);
  });

  it('is whole up to 200 characters', () => {
    expect(beginningOf('a'.repeat(200))).toBeUndefined();
    expect(beginningOf(letter.repeat(200))).toBeUndefined();
    expect(typed(letter.repeat(200))).toBe(`\u2068${letter.repeat(200)}\u2069`);
  });
});
