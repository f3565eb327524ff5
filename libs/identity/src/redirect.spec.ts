import fc from 'fast-check';
import { good, hostile as hostileTo, judged } from '../../../test/support/requests/redirects';
import { originsLike, safeRedirect } from './redirect';

const apps = ['https://app.example.com', 'http://app.example.com', 'http://localhost:3000', 'http://127.0.0.1:8080'];
const help = 'https://help.example';

it.each(judged)('at $app, $wish leads to $target', ({ app, origins, wish, target }) =>
  expect(safeRedirect(wish, { publicUrl: app, origins })).toBe(target),
);

describe.each(apps)('from %s', (publicUrl) => {
  const rules = { publicUrl, origins: [help] };
  const hostile = hostileTo(publicUrl);

  it('forty hostile wishes are known', () => expect(new Set(hostile).size).toBe(40));

  it.each(hostile)('%j ends at /', (wish) => {
    expect(safeRedirect(wish, rules)).toBe('/');
    expect(safeRedirect(wish, { publicUrl, origins: [] })).toBe('/');
  });

  it.each(good)('%j is reached, also with the origin before it', (wish) => {
    const reached = wish === '/a/b/../c' ? '/a/c' : wish;
    expect(safeRedirect(wish, rules)).toBe(reached);
    expect(safeRedirect(`${publicUrl}${wish}`, rules)).toBe(reached);
  });

  it.each([
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/a/%2E%2e//evil.example',
    `${publicUrl}//evil.example`,
    `/.//${new URL(publicUrl).host}/sites`,
    `${publicUrl.replace('//', '//user@')}/sites`,
    `${publicUrl.replace('//', '//user:word@')}/sites`,
    '/sites\u0000',
    '/sites\u200b/x',
    'sites',
    '?tab=1',
    '',
    `/${'a'.repeat(2_000)}`,
  ])('%j ends at /', (wish) => expect(safeRedirect(wish, rules)).toBe('/'));

  it.each([[undefined], [null], [7], [['/sites']], [{ toString: () => '/sites' }]])('%p is no wish', (wish) =>
    expect(safeRedirect(wish, rules)).toBe('/'),
  );

  it.each(['/%2fevil.example', '/%5cevil.example', '/%2f%2fevil.example'])('%j stays a path', (wish) =>
    expect(safeRedirect(wish, rules)).toBe(wish),
  );

  it('what is emitted stays on the origin, however often it is read', () => {
    fc.assert(
      fc.property(wishes(publicUrl), (wish) => {
        const emitted = safeRedirect(wish, rules);
        if (emitted === `${help}/` || emitted.startsWith(`${help}/`)) return;
        expect(emitted).toMatch(/^\/(?![/\\])/);
        const once = new URL(emitted, publicUrl);
        const twice = new URL(`${once.pathname}${once.search}${once.hash}`, publicUrl);
        expect([once.origin, twice.origin, twice.href]).toEqual([publicUrl, publicUrl, once.href]);
        expect(safeRedirect(emitted, rules)).toBe(emitted);
      }),
      { numRuns: 3_000 },
    );
  });
});

/** Pieces that parsers quarrel about, in any order. */
const wishes = (app: string) =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '/',
          '//',
          '\\',
          '.',
          '..',
          '@',
          ':',
          '?',
          '#',
          '%2f',
          '%2e',
          '%5c',
          '\t',
          '\n',
          ' ',
          '[',
          '。',
        ),
        fc.constantFrom('http:', 'https:', 'javascript:', 'evil.example', app, help, 'localhost', 'sites'),
        fc.string({ unit: 'binary', maxLength: 4 }),
      ),
      { maxLength: 9 },
    )
    .map((pieces) => pieces.join(''));

describe('an origin of the settings', () => {
  const rules = { publicUrl: 'https://app.example.com', origins: [help] };

  it.each([help, `${help}/`, `${help}/guide?step=2#first`, 'HTTPS://HELP.EXAMPLE:443/guide'])('%j is reached', (wish) =>
    expect(safeRedirect(wish, rules)).toBe(new URL(wish).href),
  );

  it.each([
    'http://help.example/',
    'https://help.example:8443/',
    'https://www.help.example/',
    'https://help.example.evil.example/',
    'https://help-example/',
    'https://help.example@evil.example/',
    'https://evil.example/https://help.example',
    'https://user@help.example/',
    'https://help.example%2eevil.example/',
    'https://help.example\u2024evil.example/',
  ])('%j is another one', (wish) => expect(safeRedirect(wish, rules)).toBe('/'));
});

describe('on loopback', () => {
  const rules = { publicUrl: 'http://localhost:3000', origins: [] };

  it.each(['http://localhost:3000/sites', 'http://127.0.0.1:3000/sites', 'http://[::1]:3000/sites'])(
    '%j is our own origin',
    (wish) => expect(safeRedirect(wish, rules)).toBe('/sites'),
  );

  it.each(['http://127.0.0.1:3001/sites', 'https://127.0.0.1:3000/sites', 'http://127.0.0.2:3000/sites'])(
    '%j is not',
    (wish) => expect(safeRedirect(wish, rules)).toBe('/'),
  );

  it('elsewhere no other name counts', () => {
    expect(originsLike('https://app.example.com')).toEqual(['https://app.example.com']);
    expect(originsLike('http://[::1]')).toEqual(['http://localhost', 'http://127.0.0.1', 'http://[::1]']);
  });
});
