import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { isScope, verifyKey, newKey, parseKey } from './keys';

const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };
const now = Date.parse('2026-11-21T10:00:00.000Z');
const make = (request = {}) => newKey({ name: 'ci', scopes: ['flags:read', 'audit:read'], ...request }, random, now);

describe('New API key', () => {
  it("consists of a secret for the caller, and a record that contains the secret's hash but not the secret", () => {
    const { key, record } = make();
    const { prefix, secret } = parseKey(key)!;
    expect(record).toMatchObject({
      prefix,
      name: 'ci',
      scopes: ['audit:read', 'flags:read'],
      created: '2026-11-21T10:00:00.000Z',
    });
    expect(record.hash).toBe(createHash('sha256').update(secret).digest('hex'));
    expect(JSON.stringify(record)).not.toContain(secret);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32); // J2: 256 bits; at least 128 are necessary
    expect(key.startsWith(prefix)).toBe(true);
  });

  it('has a different secret and a different prefix each time', () => {
    const made = Array.from({ length: 1_000 }, () => make());
    expect(new Set(made.map(({ key }) => key)).size).toBe(1_000);
    expect(new Set(made.map(({ record }) => record.prefix)).size).toBe(1_000);
  });

  it('has an optional field only if the request contains the field', () => {
    expect(Object.keys(make().record).sort()).toEqual(['created', 'hash', 'id', 'name', 'prefix', 'scopes']);
    expect(make({ organization: 'o-1', expires: '2027-01-01T00:00:00.000Z' }).record).toMatchObject({
      organization: 'o-1',
      expires: '2027-01-01T00:00:00.000Z',
    });
  });
});

describe('Verification of a presented API key', () => {
  const { key, record } = make({ expires: '2026-11-21T11:00:00.000Z' });
  const { secret } = parseKey(key)!;

  it.each([
    ['active', record, secret, now],
    ['active', record, secret, now + 3_599_999],
    ['expired', record, secret, now + 3_600_000],
    ['revoked', { ...record, revoked: '2026-11-21T10:00:00.000Z' }, secret, now + 9_999_999],
    ['wrong', record, `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`, now],
    ['wrong', { ...record, revoked: '2026-11-21T10:00:00.000Z' }, 'x'.repeat(43), now],
    ['wrong', undefined, secret, now],
    ['wrong', record, '', now],
  ] as const)('gives the result %s', (verdict, known, presented, at) => {
    expect(verifyKey(known, presented, at)).toBe(verdict);
  });
});

it.each([
  '',
  'chk_',
  'chk_0123456789ab_',
  `chk_0123456789ab_${'x'.repeat(42)}`,
  `chk_0123456789AB_${'x'.repeat(43)}`,
  `chk_0123456789ab_${'x'.repeat(43)}\n`,
  `Bearer chk_0123456789ab_${'x'.repeat(43)}`,
  `chk_0123456789ab_${'é'.repeat(43)}`,
])('parseKey refuses %j, which is not an API key', (presented) => {
  expect(parseKey(presented)).toBeUndefined();
});

it('isScope accepts names of scopes, and refuses names that resemble a scope', () => {
  expect(['flags:read', 'organizations:operate'].every(isScope)).toBe(true);
  expect(['', 'flags', 'flags:write', '__proto__', 'keys:write'].some(isScope)).toBe(false);
});
