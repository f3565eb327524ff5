import { createHmac, generateKeySync, randomBytes, randomUUID } from 'node:crypto';
import { isXsrfToken, xsrfToken } from './xsrf';

const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };
const key = generateKeySync('hmac', { length: 256 });
const session = randomUUID();

describe('XSRF token', () => {
  const token = xsrfToken(key, session, random);
  const [mac = '', nonce = ''] = token.split('.');

  it('is valid for the session for which Charter made it', () => {
    expect(isXsrfToken(key, session, token)).toBe(true);
    expect(xsrfToken(key, session, random)).not.toBe(token);
  });

  it('is a MAC over the session and a nonce, each with its length before it', () => {
    const text = `${session.length}!${session}!${nonce.length}!${nonce}`;
    expect(mac).toBe(createHmac('sha256', key).update(text).digest('base64url'));
    expect(Buffer.from(nonce, 'base64url')).toHaveLength(32);
  });

  it('needs no escaping in a cookie or a header', () => expect(encodeURIComponent(token)).toBe(token));

  it.each([
    ['another session', key, randomUUID(), token],
    ['another key', generateKeySync('hmac', { length: 256 }), session, token],
    ['an empty text', key, session, ''],
    ['only its MAC', key, session, mac],
    ['only its nonce', key, session, `.${nonce}`],
    ['another nonce', key, session, `${mac}.${randomBytes(32).toString('base64url')}`],
    ['its MAC and nonce exchanged', key, session, `${nonce}.${mac}`],
    ['a dot after it', key, session, `${token}.`],
    ['a line break after it', key, session, `${token}\n`],
    ['a token that Charter did not make', key, session, `${'A'.repeat(43)}.${'A'.repeat(43)}`],
  ])('is not valid with %s', (_what, otherKey, otherSession, other) => {
    expect(isXsrfToken(otherKey, otherSession, other)).toBe(false);
  });

  it('is not valid when any character is changed', () => {
    for (let index = 0; index < token.length; index += 1) {
      const letter = token[index] === 'A' ? 'B' : 'A';
      expect(isXsrfToken(key, session, token.slice(0, index) + letter + token.slice(index + 1))).toBe(false);
    }
  });
});
