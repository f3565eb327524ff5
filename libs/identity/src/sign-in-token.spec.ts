import { generateKeySync } from 'node:crypto';
import { readSignInToken, SIGN_IN_TOKEN_HOURS, signInToken } from './sign-in-token';

const key = generateKeySync('hmac', { length: 256 });
const now = Date.parse('2026-11-21T10:00:00.000Z');
const token = signInToken(key, 'session-1', '/sites?tab=1#members', now);
const read = (presented = token, session = 'session-1', at = now) => readSignInToken(key, session, presented, at);

describe('Token of the Google button', () => {
  it('contains the redirect', () => {
    expect(read()).toMatchObject({ redirect: '/sites?tab=1#members', expires: now + SIGN_IN_TOKEN_HOURS * 3_600_000 });
  });

  it('works until it expires', () => {
    const last = now + SIGN_IN_TOKEN_HOURS * 3_600_000;
    expect(read(token, 'session-1', last - 1)).toBeDefined();
    expect(read(token, 'session-1', last)).toBeUndefined();
  });

  it('works only in the browser for which Charter made it, and only with the same key', () => {
    expect(read(token, 'session-2')).toBeUndefined();
    expect(readSignInToken(generateKeySync('hmac', { length: 256 }), 'session-1', token, now)).toBeUndefined();
  });

  it("does not reveal the browser's session", () => {
    expect(Buffer.from(token, 'base64url').toString()).not.toContain('session-1');
  });

  it('has a unique id, which the token itself does not contain', () => {
    const other = signInToken(key, 'session-1', '/sites?tab=1#members', now + 1);
    expect(read()!.id).not.toBe(read(other)!.id);
    expect(token).not.toContain(read()!.id);
  });

  it('leads to / if the redirect is too long', () => {
    expect(read(signInToken(key, 'session-1', `/${'x'.repeat(2_000)}`, now))?.redirect).toBe('/');
  });

  it('is refused if any one character except the last is changed', () => {
    const changed = Array.from(token).map((character, at) => {
      const other = character === 'A' ? 'B' : 'A';
      return `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
    });
    // The last of the signature's 43 characters represents only four bits, so another character there may represent the
    // same bytes. Charter refuses a change of any other character.
    expect(changed.slice(0, -1).filter((presented) => read(presented))).toEqual([]);
  });

  it.each([
    '',
    '.',
    'x',
    '../callback',
    '%2f',
    '<script>alert(1)</script>',
    'x'.repeat(10_240),
    `${token}=`,
    `${token} `,
  ])('is refused if it is %j', (presented) => expect(read(presented)).toBeUndefined());
});
