import { createHash, randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sessionEnd, isSessionOver, newSession, sessionHash } from './sessions';

const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };
const now = Date.parse('2026-11-21T10:00:00.000Z');
const make = (agent = 'Firefox') => newSession('a-1', 'password', agent, random, now);

describe('New session', () => {
  it("consists of a secret for the browser, and a record that contains the secret's hash but not the secret", () => {
    const { cookie, session } = make();
    expect(Buffer.from(cookie, 'base64url')).toHaveLength(32);
    expect(session.hash).toBe(createHash('sha256').update(cookie).digest('hex'));
    expect(sessionHash(cookie)).toBe(session.hash);
    expect(sessionHash(session.hash)).not.toBe(session.hash);
    expect(JSON.stringify(session)).not.toContain(cookie);
    const began = '2026-11-21T10:00:00.000Z';
    expect(session).toMatchObject({ account: 'a-1', method: 'password', agent: 'Firefox', began, used: began });
  });

  it('C2: has a different cookie each time, and the cookies begin with all 64 possible characters', () => {
    const made = Array.from({ length: 10_000 }, () => make());
    expect(new Set(made.map(({ cookie }) => cookie)).size).toBe(10_000);
    expect(new Set(made.map(({ session }) => session.id)).size).toBe(10_000);
    expect(new Set(made.map(({ cookie }) => cookie[0])).size).toBe(64);
  });

  it('contains the user agent, without characters that are dangerous to display', () => {
    expect(make(`Evil\u001b[31m\r\n\u202e${'x'.repeat(300)}`).session.agent).toBe(`Evil[31m${'x'.repeat(192)}`);
    expect(make('🦊'.repeat(300)).session.agent).toBe('🦊'.repeat(200));
  });
});

describe('Session', () => {
  const limits = { idle: 24 * 3_600_000, max: 30 * 86_400_000 };
  const began = new Date(now).toISOString();

  it.each([
    ['ends after the idle time without use', began, now + limits.idle],
    [
      'ends at the maximum age, even while it is used',
      new Date(now + limits.max - 1000).toISOString(),
      now + limits.max,
    ],
  ])('%s', (_when, used, ends) => {
    expect(sessionEnd({ began, used }, limits)).toBe(ends);
    expect(isSessionOver({ began, used }, limits, ends - 5_000)).toBe(false);
    expect(isSessionOver({ began, used }, limits, ends - 1)).toBe(false);
    expect(isSessionOver({ began, used }, limits, ends)).toBe(true);
    expect(isSessionOver({ began, used }, limits, ends + 1_000)).toBe(true);
  });

  it('ends no later than a session that began at the same moment and was used later', () => {
    const moments = fc.integer({ min: 0, max: limits.max }).map((after) => now + after);
    fc.assert(
      fc.property(moments, moments, (one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)].map((at) => new Date(at).toISOString());
        expect(sessionEnd({ began, used: less! }, limits)).toBeLessThanOrEqual(
          sessionEnd({ began, used: more! }, limits),
        );
        expect(sessionEnd({ began, used: more! }, limits)).toBeLessThanOrEqual(now + limits.max);
      }),
    );
  });
});
