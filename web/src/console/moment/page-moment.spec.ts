import { comparedIn, isPastMoment, keptSearch, momentIn, PRESENT, withMoment } from './page-moment';

const search = (text: string) => new URLSearchParams(text);

describe('The moment in an address', () => {
  it.each([
    ['', PRESENT],
    ['type=MemberAdded', PRESENT],
    ['asOf=1191', { asOf: '1191' }],
    ['asOf=2026-05-02T21:33:20.000Z', { asOf: '2026-05-02T21:33:20.000Z' }],
    ['valid=2026-05-02T00:00:00Z', { valid: '2026-05-02T00:00:00Z' }],
    ['asOf=7&valid=2026-05-02T00:00:00Z', { asOf: '7', valid: '2026-05-02T00:00:00Z' }],
  ])('is read from %p', (text, moment) => {
    expect(momentIn(search(text))).toEqual(moment);
  });

  it.each([
    'asOf=',
    'asOf=now',
    'asOf=-1',
    'asOf=1e3',
    `asOf=${'9'.repeat(16)}`,
    'asOf=2026-02-30T00:00:00Z',
    'asOf=10000-01-01T00:00:00Z',
    'valid=1191',
    'valid=2026-05-02',
    'valid=2026-13-02T00:00:00Z',
  ])('is unreadable in %p', (text) => {
    expect(momentIn(search(text))).toBeUndefined();
  });

  it('replaces an earlier moment, removes the parameter `head`, and keeps the other parameters', () => {
    const address = search('asOf=7&head=7.9f2c&type=MemberAdded');
    expect(withMoment(address, { valid: '2026-05-02T00:00:00Z' }).toString()).toBe(
      'type=MemberAdded&valid=2026-05-02T00%3A00%3A00Z',
    );
    expect(withMoment(address, PRESENT).toString()).toBe('type=MemberAdded');
    expect([isPastMoment(PRESENT), isPastMoment({ asOf: '7' }), isPastMoment({ valid: 'x' })]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('The other side of the comparison in an address', () => {
  const valid = '2026-05-02T00:00:00Z';
  it.each([
    ['asOf=7', PRESENT],
    ['asOf=7&vs=now', PRESENT],
    ['asOf=7&vs=6', { asOf: '6' }],
    ['asOf=7&vs=2026-05-02T00:00:00Z', { asOf: '2026-05-02T00:00:00Z' }],
    [`valid=${valid}&vs=6`, { asOf: '6', valid }],
    ['asOf=7&vs=none', undefined],
    ['asOf=7&vs=yesterday', undefined],
  ])('is read from %p', (text, moment) => {
    expect(comparedIn(search(text))).toEqual(moment);
  });

  it.each([
    ['asOf=7&vs=6&type=MemberAdded', 'asOf=7&vs=6'],
    ['asOf=7&vs=none', 'asOf=7&vs=none'],
    ['asOf=7&vs=now', 'asOf=7'],
    ['asOf=7&vs=yesterday', 'asOf=7'],
  ])('stays in links, with the moment: %p', (text, kept) => {
    expect(keptSearch(search(text))).toBe(kept);
  });
});
