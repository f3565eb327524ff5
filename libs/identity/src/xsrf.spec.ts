import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { isXsrfToken, xsrfToken } from './xsrf';

const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };
const key = randomBytes(32);
const session = randomUUID();

describe('an XSRF token', () => {
  const token = xsrfToken(key, session, random);
  const [mac = '', chance = ''] = token.split('.');

  it('is good for its session', () => {
    expect(isXsrfToken(key, session, token)).toBe(true);
    expect(xsrfToken(key, session, random)).not.toBe(token);
  });

  it('is made as it is written down', () => {
    const said = `${session.length}!${session}!${chance.length}!${chance}`;
    expect(mac).toBe(createHmac('sha256', key).update(said).digest('base64url'));
    expect(Buffer.from(chance, 'base64url')).toHaveLength(32);
  });

  it('needs no encoding in a cookie or a header', () => expect(encodeURIComponent(token)).toBe(token));

  it.each([
    ['another session', key, randomUUID(), token],
    ['another key', randomBytes(32), session, token],
    ['nothing', key, session, ''],
    ['one half', key, session, mac],
    ['the other half', key, session, `.${chance}`],
    ['other chance', key, session, `${mac}.${randomBytes(32).toString('base64url')}`],
    ['its halves in exchange', key, session, `${chance}.${mac}`],
    ['something behind it', key, session, `${token}.`],
    ['a line break behind it', key, session, `${token}\n`],
    ['something self-made', key, session, `${'A'.repeat(43)}.${'A'.repeat(43)}`],
  ])('is not good with %s', (_what, otherKey, otherSession, other) => {
    expect(isXsrfToken(otherKey, otherSession, other)).toBe(false);
  });

  it('is not good with any letter changed', () => {
    for (let index = 0; index < token.length; index += 1) {
      const letter = token[index] === 'A' ? 'B' : 'A';
      expect(isXsrfToken(key, session, token.slice(0, index) + letter + token.slice(index + 1))).toBe(false);
    }
  });
});
