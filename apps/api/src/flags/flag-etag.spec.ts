import { randomUUID } from 'node:crypto';
import type { Flag, FlagSubject } from '@charter/organization-view';
import { flagETag, flagHash, matchesFlagETag } from './flag-etag';

const MINUTE = 60_000;
const began = Date.UTC(2026, 10, 24);
const flags = [{ key: 'feedback', value: true, reason: 'TARGETING_MATCH', variant: 'on', metadata: {} }] as const;
const acme: FlagSubject = { organization: randomUUID(), kind: 'organization' };

const tagOf = (subject: FlagSubject, its: readonly Flag[], expires = began, ticket = 'flt_a') =>
  flagETag(subject, flagHash(subject, its), { ticket, expires });

/** The minutes, within three hours, at which the ETag of unchanged flags changes. */
function changes(subject: FlagSubject): readonly number[] {
  const tags = Array.from({ length: 181 }, (_, minute) => tagOf(subject, flags, began + minute * MINUTE));
  return tags.flatMap((tag, minute) => (minute > 0 && tag !== tags[minute - 1] ? [minute] : []));
}

describe('The ETag of flags', () => {
  it('changes once in 45 minutes', () => {
    const minutes = changes(acme);
    expect(minutes.map((minute) => minute - minutes[0]!)).toEqual([0, 45, 90, 135]);
  });

  it('changes at many different moments if there are many subjects', () => {
    const { organization } = acme;
    const subjects = Array.from({ length: 200 }, (): FlagSubject => ({
      organization,
      kind: 'user',
      user: randomUUID(),
    }));
    expect(new Set(subjects.map((subject) => changes(subject)[0])).size).toBeGreaterThan(30);
  });

  it('depends on the flags, the subject, and the ticket', () => {
    const off: readonly Flag[] = [{ ...flags[0], value: false, variant: 'off' }];
    const user: FlagSubject = { organization: acme.organization, kind: 'user', user: randomUUID() };
    const tags = [tagOf(acme, flags), tagOf(acme, off), tagOf(user, flags), tagOf(acme, flags, began, 'flt_b')];
    expect(new Set(tags).size).toBe(4);
  });

  it.each([
    ['"a.1"', '"a.1"', true],
    ['a.1', '"a.1"', true],
    ['"b.1", W/"a.1"', '"a.1"', true],
    ['"a.2"', '"a.1"', false],
    ['*', '"a.1"', false],
    [undefined, '"a.1"', false],
  ])('is in `If-None-Match: %s`, if it is %s: %s', (header, tag, isIn) =>
    expect(matchesFlagETag(header, tag)).toBe(isIn),
  );
});
