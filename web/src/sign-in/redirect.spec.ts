import fc from 'fast-check';
import { good, hostile, judged } from '../../../test/support/requests/redirects';
import { openDocument, redirectTo } from './redirect';

const origin = 'https://app.example.com';
const ours = { origin, origins: [] as string[] };

describe('The redirect after a log-in', () => {
  it('is tested with 40 hostile and 8 good values', () =>
    expect([hostile(origin).length, good.length]).toEqual([40, 8]));

  it.each(judged)(
    'E1, E2: leads to $target if the public origin is $app and the requested URL is $wish',
    ({ app, origins, wish, target }) => expect(redirectTo(wish, { origin: app, origins })).toBe(target),
  );

  it('leads to `/` without a requested URL', () => expect(redirectTo(null, ours)).toBe('/'));

  it.each(['/%2fevil.example', '%2f%2fevil.example'])('stays on our origin for %s', (value) => {
    expect(new URL(redirectTo(value, ours), origin).origin).toBe(origin);
  });

  describe('The redirect with an allowed origin', () => {
    const allowed = { origin, origins: ['https://help.example'] };

    it.each([
      'http://help.example/',
      'https://www.help.example/',
      'https://help.example.evil.example/',
      'https://help.example@evil.example/',
    ])('leads to / for %s, which has another origin', (value) => expect(redirectTo(value, allowed)).toBe('/'));
  });

  it('leads to our origin even if another URL parser reads the result', () => {
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

describe('The document after a log-in', () => {
  it.each([
    ['/login?redirect=%2Forg', '/org', false],
    ['/', '/', false], // without a fragment, the browser loads the address again
    ['/login#top', '/#top', false],
    ['/#top', '/#top', true],
    ['/?a=1#top', '/?a=1#draft=x', true],
    ['/?a=1#top', '/#top', false],
    ['/', 'https://help.example/#top', false],
  ])('at %s, opens %s; reloads the page: %s', (here, address, reloads) => {
    const called: string[] = [];
    const assign = (to: string | URL) => void called.push(String(to));
    openDocument({ href: origin + here, assign, reload: () => void called.push('reload') }, address);
    expect(called).toEqual(reloads ? [address, 'reload'] : [address]);
  });
});
