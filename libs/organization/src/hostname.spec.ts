import fc from 'fast-check';
import { hostnameOf, unicodeOf } from './hostname';
import { corpus } from './testing/hostnames.testing';

describe('Hostname', () => {
  it.each(corpus)('%i: %j becomes %j', (_number, input, hostname, unicode) => {
    expect(hostnameOf(input)).toBe(hostname);
    if (hostname !== null) expect(unicodeOf(hostname)).toBe(unicode);
  });

  it('is tested with all rows of the corpus', () => {
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
  ])('is null for %s, whose authority contains `@` or `:`', (input) => expect(hostnameOf(input)).toBeNull());

  it.each([undefined, null, 7, ['example.com'], { hostname: 'example.com' }])(
    'is null for %j, which is not text',
    (input) => expect(hostnameOf(input)).toBeNull(),
  );

  it.each(['example.com\0', '\0example.com'])('is null with a null byte: %j', (input) =>
    expect(hostnameOf(input)).toBeNull(),
  );

  it('is null or lower-case ASCII for any input, and stays the same if it is parsed again', () => {
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

  it('is found in an input of 100 kB within 50 ms (mean of four inputs)', () => {
    const began = performance.now();
    for (const input of ['a'.repeat(100_000), 'a.'.repeat(50_000), 'xn--'.repeat(25_000), '@:/'.repeat(33_000)])
      hostnameOf(input);
    expect(performance.now() - began).toBeLessThan(4 * 50); // four searches usually take 20 ms
  });

  it.each(['x', 'ü', '🙂', '%C3%BC', '\\', '\t'])(
    'S15: is found in 8,190 to 8,192 characters, and is null for more, with a path of %j',
    (text) => {
      const filled = (length: number) => {
        const whole = 'shop.example/' + text.repeat(Math.floor((length - 13) / text.length));
        return whole.padEnd(length, 'x');
      };
      const lengths = [8_190, 8_191, 8_192, 8_193, 8_194];
      expect(lengths.map((length) => filled(length).length)).toEqual(lengths);
      const name = 'shop.example';
      expect(lengths.map((length) => hostnameOf(filled(length)))).toEqual([name, name, name, null, null]);
    },
  );

  it('S15: takes at most 50 times as long for the slowest texts of 8,192 characters as a parser of addresses alone', () => {
    const many = (text: string) => text.repeat(8_192 / text.length + 1).slice(0, 8_192);
    const usual = fastest(() => URL.parse(`https://${many('xn--mnchen-3ya.')}`));
    const texts = [
      'a.',
      'ü',
      'ü.',
      '🙂',
      '例。',
      'e\u0301',
      'א',
      '.',
      ':',
      '%',
      '%C3%BC',
      '\\',
      '\t',
      ' ',
      '/',
      '@',
      '#?',
    ];
    for (const text of texts.map(many))
      for (const address of [text, `https://${text}`.slice(0, 8_192), `a${text.slice(2)}x`, `${text.slice(1)}x`]) {
        const times = fastest(() => hostnameOf(address)) / usual;
        expect([address.slice(0, 20), times < 50 || times]).toEqual([address.slice(0, 20), true]);
      }
  });
});

/** The milliseconds of the fastest of ten calls. Other work on the machine seldom delays all of them. */
function fastest(work: () => unknown): number {
  const times = Array.from({ length: 10 }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  });
  return Math.min(...times);
}
