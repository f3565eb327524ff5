import fc from 'fast-check';
import { good, hostile } from '../../../test/support/redirects';
import { redirectTo } from './redirect';

const origin = 'https://app.example.com';
const ours = { origin, origins: [] as string[] };

describe('where to go after logging in', () => {
  it('knows all 48 values', () => expect([hostile(origin).length, good.length]).toEqual([40, 8]));

  it.each(hostile(origin))('%j leads home', (value) => expect(redirectTo(value, ours)).toBe('/'));

  it.each(good)('%j is reached exactly', (value) => {
    expect(redirectTo(value, ours)).toBe(value === '/a/b/../c' ? '/a/c' : value);
  });

  it.each([null, '', '/a\\b', '/a\tb', '/a\u007fb'])('%j leads home', (value) =>
    expect(redirectTo(value, ours)).toBe('/'),
  );

  it.each(['/%2fevil.example', '%2f%2fevil.example'])('%s stays here', (value) => {
    expect(new URL(redirectTo(value, ours), origin).origin).toBe(origin);
  });

  it('the same path as a whole address of ours becomes a path', () => {
    expect(redirectTo(`${origin}/sites?tab=1`, ours)).toBe('/sites?tab=1');
  });

  describe('with an allowed origin', () => {
    const allowed = { origin, origins: ['https://help.example'] };

    it('it is reached', () => {
      expect(redirectTo('https://help.example/a?b#c', allowed)).toBe('https://help.example/a?b#c');
    });

    it.each([
      'http://help.example/',
      'https://help.example:444/',
      'https://www.help.example/',
      'https://help.example.evil.example/',
      'https://help.example@evil.example/',
      'https://user@help.example/',
    ])('%s is not', (value) => expect(redirectTo(value, allowed)).toBe('/'));

    it.each(hostile(origin))('%j still leads home', (value) => expect(redirectTo(value, allowed)).toBe('/'));
  });

  it('what is answered stays here, however often it is read', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      ':',
      '@',
      '.',
      'http',
      's',
      '\t',
      '%2f',
      'evil.example',
      ' ',
      '#',
      '?',
      '。',
      '..',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const target = redirectTo(parts.join(''), ours);
        const once = new URL(target, origin);
        expect(once.origin).toBe(origin);
        expect(new URL(once.pathname + once.search + once.hash, origin).origin).toBe(origin);
      }),
      { numRuns: 2_000 },
    );
  });
});
