/** 40 hostile values of `redirect` (`acceptance.md` E), for an application at this origin. */
export const hostile = (app: string): readonly string[] => [
  'http://evil.example',
  'https://evil.example',
  'ftp://evil.example',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  'http:///evil.example',
  'https:///evil.example',
  '\\\\evil.example',
  '\\\\\\evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '/\\/evil.example',
  '/\\\\/evil.example',
  '\\\\//evil.example',
  'http:/\\//evil.example',
  'http:\\/evil.example',
  'http:/\\evil.example',
  'https:evil.example',
  'http:999999999',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\njavascript:alert(x)',
  'java\nscript:alert(x)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  '\u0008//evil.example',
  '\t//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  `${app}@evil.example`,
  `${app}:443@evil.example`,
  `${app}.evil.example`,
  `https://evil.example#${app}`,
  `https://evil.example?${app}`,
  'https://evil.example\\@app.example.com',
  'http://[2001:db8::1/',
  'https://evil。example',
  '//evil%00.example',
];

/** Eight valid values. Each value is also the target after the sign-in, except that `/a/b/../c` becomes `/a/c`. */
export const good: readonly string[] = [
  '/',
  '/sites',
  '/sites?tab=1#members',
  '/view?param=https://evil.example',
  '/url%20with%20spaces/',
  '/path/http:2222222222',
  '/confirm/me@example.com',
  '/a/b/../c',
];

/**
 * The target to which a requested redirect must lead. The page and the server must choose the same target
 * (`decisions.md`, Signing in, 3 and 18).
 */
export type Judged = Readonly<{ app: string; origins: readonly string[]; wish: string; target: string }>;

const HELP = 'https://help.example';
const APP = 'https://app.example.com';
const LOCAL = 'http://localhost:3000';

const under =
  (app: string, origins: readonly string[]) =>
  ([wish, target = '/']: readonly [string, string?]): Judged => ({ app, origins, wish, target });

/** The tests of the page and of the server share this table, because an attacker could exploit any difference. */
export const judged: readonly Judged[] = [
  ...hostile(APP).map((wish) => under(APP, [HELP])([wish])),
  ...good.map((wish) => under(APP, [HELP])([wish, wish === '/a/b/../c' ? '/a/c' : wish])),
  ...(
    [
      [''],
      ['sites'],
      ['/a\u200bb'],
      ['/\u2060/evil.example'],
      ['/\ufeff/evil.example'],
      ['/a\u00adb'],
      ['/a\u0085b'],
      ['/a\u007fb'],
      ['/a\ue000b'],
      [`/${'a'.repeat(2_000)}`],
      [`/${'a'.repeat(1_999)}`, `/${'a'.repeat(1_999)}`],
      ['/.//evil.example'],
      ['/a/..//evil.example'],
      ['/ä', '/%C3%A4'],
      [`${APP}/sites?tab=1`, '/sites?tab=1'],
      ['HTTPS://APP.EXAMPLE.COM:443/sites', '/sites'],
      ['http://app.example.com/sites'],
      [`${HELP}/a?b#c`, `${HELP}/a?b#c`],
      ['HTTPS://HELP.EXAMPLE:443/guide', `${HELP}/guide`],
      [`${HELP}:444/`],
      ['https://user@help.example/'],
      ['http://localhost/sites'],
    ] as const
  ).map(under(APP, [HELP])),
  ...(
    [
      [`${LOCAL}/sites`, '/sites'],
      ['http://127.0.0.1:3000/sites', '/sites'],
      ['http://[::1]:3000/sites', '/sites'],
      ['http://127.0.0.1:3001/sites'],
      ['https://127.0.0.1:3000/sites'],
      ['http://127.0.0.2:3000/sites'],
      ['http://localhost.evil.example:3000/sites'],
      ['http://127.0.0.1.evil.example:3000/sites'],
      ['http://evil.example/?http://localhost:3000'],
      ['http://127.0.0.1:3000/.//evil.example'],
    ] as const
  ).flatMap((row) => [LOCAL, 'http://127.0.0.1:3000', 'http://[::1]:3000'].map((app) => under(app, [])(row))),
  under('https://localhost', [])(['https://127.0.0.1/sites', '/sites']),
];
