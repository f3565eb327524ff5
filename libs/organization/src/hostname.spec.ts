import fc from 'fast-check';
import { hostnameOf, unicodeOf } from './hostname';

/** `acceptance.md` §6: number, input, hostname or null, Unicode form where it differs. */
const corpus: readonly (readonly [number, unknown, string | null, string?])[] = [
  [1, 'example.com', 'example.com'],
  [2, 'EXAMPLE.Com', 'example.com'],
  [3, 'https://example.com', 'example.com'],
  [4, 'http://example.com', 'example.com'],
  [5, 'http://www.example.com/path?q=1#f', 'www.example.com'],
  [6, 'sub.deep.example.co.uk', 'sub.deep.example.co.uk'],
  [7, 'example.com:8080', null],
  [8, 'localhost', 'localhost'],
  [9, 'LOCALHOST', 'localhost'],
  [10, 'localhost:3000', null],
  [11, 'http://localhost', 'localhost'],
  [12, 'foo.localhost', 'foo.localhost'],
  [13, 'example', null],
  [14, 'http://example', null],
  [15, 'intranet/example.com', null],
  [16, 'intranet?x=example.com', null],
  [17, 'user.name@intranet', null],
  [18, '', null],
  [19, 'https://', null],
  [20, '   ', null],
  [21, 'undefined', null],
  [22, '__proto__', null],
  [23, 'user@example.com', null],
  [24, 'https://example.com@evil.test', null],
  [25, 'https://example.com\\@evil.test', 'example.com'],
  [26, 'example.com\\evil.test', 'example.com'],
  [27, 'ftp://example.com', null],
  [28, '//example.com', 'example.com'],
  [29, 'http:example.com', null],
  [30, 'http:/example.com', null],
  [31, 'http://http://example.com', null],
  [32, 'javascript:alert(1)', null],
  [33, 'mailto:a@example.com', null],
  [34, 'HTTP://example.com', null],
  [35, ' https://example.com', 'example.com'],
  [36, 'example.com ', 'example.com'],
  [37, 'exa mple.com', null],
  [38, 'exam\nple.com', 'example.com'],
  [39, 'exam\u0000ple.com', null],
  [40, '127.0.0.1', null],
  [41, '127.1', null],
  [42, '256.1.1.1', null],
  [43, '1.2.3.4.5', null],
  [44, '[::1]', null],
  [45, 'münchen.de', 'xn--mnchen-3ya.de', 'münchen.de'],
  [46, 'xn--mnchen-3ya.de', 'xn--mnchen-3ya.de', 'münchen.de'],
  [47, 'faß.de', 'xn--fa-hia.de', 'faß.de'],
  [48, '例え。jp', 'xn--r8jz45g.jp', '例え.jp'],
  [49, 'пример.рф', 'xn--e1afmkfd.xn--p1ai', 'пример.рф'],
  [50, 'аpple.com', 'xn--pple-43d.com', 'аpple.com'],
  [51, 'ｅｘａｍｐｌｅ.com', 'example.com'],
  [52, '💩.la', 'xn--ls8h.la', '💩.la'],
  [53, 'אa.com', null],
  [54, 'xn--a.com', null],
  [55, 'example.com:99999', null],
  [56, 'exa_mple.com', 'exa_mple.com'],
  [57, 'example.com.', null],
  [58, 'example..com', 'example..com'],
  [60, 'example%2ecom', 'example.com'],
  [59, `${'a'.repeat(64)}.com`, `${'a'.repeat(64)}.com`],
];

describe('the hostname that a person meant', () => {
  // Four values in every row: a missing one would make Jest hand over its `done`, and wait for it.
  const rows = corpus.map(
    ([number, input, hostname, unicode]) => [number, input, hostname, unicode ?? hostname] as const,
  );
  it.each(rows)('%i: %j is %j', (_number, input, hostname, unicode) => {
    expect(hostnameOf(input)).toBe(hostname);
    if (hostname !== null) expect(unicodeOf(hostname)).toBe(unicode);
  });

  it('covers the whole corpus', () => {
    expect(corpus.map(([number]) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 1),
    );
  });

  it.each([
    'https://@example.com',
    'example.com:443',
    'https://example.com:443',
    'example.com:',
    'https:///u@example.com',
  ])('refuses the written port or user of %s', (input) => expect(hostnameOf(input)).toBeNull());

  it.each([undefined, null, 7, ['example.com'], { hostname: 'example.com' }])(
    'is null for %j, which is no text',
    (input) => expect(hostnameOf(input)).toBeNull(),
  );

  it.each(['example.com\0', '\0example.com'])('is null with a null byte: %j', (input) =>
    expect(hostnameOf(input)).toBeNull(),
  );

  it('never throws, is lower-case ASCII, and is its own hostname', () => {
    const word = fc.oneof(fc.string({ unit: 'grapheme' }), fc.webUrl(), fc.domain(), fc.ipV4(), fc.ipV6());
    const property = fc.property(word, (input) => {
      const hostname = hostnameOf(input);
      if (hostname === null) return;
      expect(hostname).toMatch(/^[\x21-\x7e]+$/);
      expect(hostname).toBe(hostname.toLowerCase());
      expect(hostnameOf(hostname)).toBe(hostname);
      expect(hostnameOf(unicodeOf(hostname))).toBe(hostname);
    });
    fc.assert(property, { numRuns: 20_000 });
  });

  it('is quick with 100 kB', () => {
    const began = performance.now();
    for (const input of ['a'.repeat(100_000), 'a.'.repeat(50_000), 'xn--'.repeat(25_000), '@:/'.repeat(33_000)])
      hostnameOf(input);
    expect(performance.now() - began).toBeLessThan(4 * 50); // 5 ms each, tenfold room
  });
});
