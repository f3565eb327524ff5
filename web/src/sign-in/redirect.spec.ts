import fc from 'fast-check';
import { good, hostile, judged } from '../../../test/support/requests/redirects';
import { redirectTo } from './redirect';

const origin = 'https://app.example.com';
const ours = { origin, origins: [] as string[] };

describe('where to go after logging in', () => {
  it('knows all 48 values', () => expect([hostile(origin).length, good.length]).toEqual([40, 8]));

  it.each(judged)('at $app, $wish leads to $target', ({ app, origins, wish, target }) =>
    expect(redirectTo(wish, { origin: app, origins })).toBe(target),
  );

  it('no wish leads home', () => expect(redirectTo(null, ours)).toBe('/'));

  it.each(['/%2fevil.example', '%2f%2fevil.example'])('%s stays here', (value) => {
    expect(new URL(redirectTo(value, ours), origin).origin).toBe(origin);
  });

  describe('with an allowed origin', () => {
    const allowed = { origin, origins: ['https://help.example'] };

    it.each([
      'http://help.example/',
      'https://www.help.example/',
      'https://help.example.evil.example/',
      'https://help.example@evil.example/',
    ])('%s is another one', (value) => expect(redirectTo(value, allowed)).toBe('/'));
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
