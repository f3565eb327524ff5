import type { LinkPurpose } from './people';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { isExpired, linkHash, linkPath, newLink } from './links';

const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };
const now = Date.parse('2026-11-21T10:00:00.000Z');
const create = (purpose: LinkPurpose = 'reset') => newLink(purpose, 'a-1', null, random, now);

describe('New mailed link', () => {
  it("consists of a token for the mail, and a record that contains the token's hash but not the token", () => {
    const { token, link } = create();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(link.hash).toBe(createHash('sha256').update(token).digest('hex'));
    expect(linkHash(token)).toBe(link.hash);
    expect(JSON.stringify(link)).not.toContain(token);
    expect(newLink('email', 'a-1', 'new@example.com', random, now).link.email).toBe('new@example.com');
  });

  it('has a different token each time', () => {
    const made = Array.from({ length: 10_000 }, () => create());
    expect(new Set(made.map(({ token }) => token)).size).toBe(10_000);
    for (const { token, link } of made) {
      const [bytes, kept] = [Buffer.from(token, 'base64url'), JSON.stringify(link)];
      const written = [token, bytes.toString('hex'), bytes.toString('base64'), Buffer.from(token).toString('base64')];
      expect(written.some((text) => kept.includes(text))).toBe(false);
    }
  });

  it('works for 60 minutes', () => {
    const { link } = create();
    expect(link).toMatchObject({ created: '2026-11-21T10:00:00.000Z', expires: '2026-11-21T11:00:00.000Z' });
    expect(isExpired(link, now + 59 * 60_000 + 55_000)).toBe(false);
    expect(isExpired(link, now + 60 * 60_000)).toBe(true);
    expect(isExpired(link, now + 60 * 60_000 + 1_000)).toBe(true);
  });

  it('B18: works for seven days if it is the link of an invitation', () => {
    const { link } = create('invitation');
    expect(link).toMatchObject({ created: '2026-11-21T10:00:00.000Z', expires: '2026-11-28T10:00:00.000Z' });
    const week = 7 * 86_400_000;
    expect([-1_000, -1, 0, 1_000].map((ms) => isExpired(link, now + week + ms))).toEqual([false, false, true, true]);
  });

  it('leads to the page of its purpose', () => {
    const pages = (['reset', 'invitation', 'email'] as const).map((purpose) => linkPath(purpose, 'a-token'));
    expect(pages).toEqual(['/reset/a-token', '/invitation/a-token', '/email/confirm/a-token']);
  });
});
