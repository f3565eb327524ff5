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
});
