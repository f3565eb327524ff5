import fc from 'fast-check';
import { good, hostile as hostileTo, judged } from '../../../test/support/requests/redirects';
import { originsLike, safeRedirect } from './redirect';

const apps = ['https://app.example.com', 'http://app.example.com', 'http://localhost:3000', 'http://127.0.0.1:8080'];
const help = 'https://help.example';

it.each(judged)('E1, E2: on $app, a redirect to $wish leads to $target', ({ app, origins, wish, target }) =>
  expect(safeRedirect(wish, { publicUrl: app, origins })).toBe(target),
);

describe.each(apps)('Redirect from %s', (publicUrl) => {
  const rules = { publicUrl, origins: [help] };
  const hostile = hostileTo(publicUrl);

  it('is tested with forty different hostile addresses', () => expect(new Set(hostile).size).toBe(40));

  it.each(hostile)('to the hostile address %j leads to / instead', (requested) => {
    expect(safeRedirect(requested, rules)).toBe('/');
    expect(safeRedirect(requested, { publicUrl, origins: [] })).toBe('/');
  });

  it.each(good)('to %j is allowed, also if the public origin precedes the path', (requested) => {
    const reached = requested === '/a/b/../c' ? '/a/c' : requested;
    expect(safeRedirect(requested, rules)).toBe(reached);
    expect(safeRedirect(`${publicUrl}${requested}`, rules)).toBe(reached);
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
  ])('to %j leads to /', (requested) => expect(safeRedirect(requested, rules)).toBe('/'));

  it.each([[undefined], [null], [7], [['/sites']], [{ toString: () => '/sites' }]])(
    'to %p, which is not a text, leads to /',
    (requested) => expect(safeRedirect(requested, rules)).toBe('/'),
  );

  it.each(['/%2fevil.example', '/%5cevil.example', '/%2f%2fevil.example'])(
    'to %j leads to this path on the same origin',
    (requested) => expect(safeRedirect(requested, rules)).toBe(requested),
  );

  it('stays on the public origin or on an allowed origin, even if a parser reads its target twice', () => {
    fc.assert(
      fc.property(requests(publicUrl), (requested) => {
        const emitted = safeRedirect(requested, rules);
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

/** Random redirect targets, made of parts that parsers interpret differently. */
const requests = (app: string) =>
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

describe('Redirect with https://help.example in the settings', () => {
  const rules = { publicUrl: 'https://app.example.com', origins: [help] };

  it.each([help, `${help}/`, `${help}/guide?step=2#first`, 'HTTPS://HELP.EXAMPLE:443/guide'])(
    'to %j is allowed',
    (requested) => expect(safeRedirect(requested, rules)).toBe(new URL(requested).href),
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
  ])('to %j is refused, because it is another origin', (requested) => expect(safeRedirect(requested, rules)).toBe('/'));
});

describe('Redirect on loopback', () => {
  const rules = { publicUrl: 'http://localhost:3000', origins: [] };

  it.each(['http://localhost:3000/sites', 'http://127.0.0.1:3000/sites', 'http://[::1]:3000/sites'])(
    'to %j is allowed, because it is the same host',
    (requested) => expect(safeRedirect(requested, rules)).toBe('/sites'),
  );

  it.each(['http://127.0.0.1:3001/sites', 'https://127.0.0.1:3000/sites', 'http://127.0.0.2:3000/sites'])(
    'to %j is refused, because it is another origin',
    (requested) => expect(safeRedirect(requested, rules)).toBe('/'),
  );

  it('allows three origins on loopback, and one origin on any other host', () => {
    expect(originsLike('https://app.example.com')).toEqual(['https://app.example.com']);
    expect(originsLike('http://[::1]')).toEqual(['http://localhost', 'http://127.0.0.1', 'http://[::1]']);
  });
});
