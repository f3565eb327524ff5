import * as argon2 from '@node-rs/argon2';
import { argon2Parameters, HashingOverloaded, passwordHasher } from './passwords';

/** Replaces `hash` and `verify` by mocks that call the real functions and record each call. */
jest.mock('@node-rs/argon2', () => {
  const actual = jest.requireActual<typeof argon2>('@node-rs/argon2');
  return { ...actual, hash: jest.fn(actual.hash), verify: jest.fn(actual.verify) };
});

/** Returns a function that adds up the work of all argon2 calls since now: memory times passes. */
function watchWork(): () => number {
  const [hashing, verifying] = [jest.mocked(argon2.hash), jest.mocked(argon2.verify)];
  hashing.mockClear();
  verifying.mockClear();
  return () =>
    [
      ...hashing.mock.calls.map(([, options]) => options!),
      ...verifying.mock.calls.map(([stored]) => argon2.parseOptions(String(stored))),
    ].reduce((sum, { memoryCost, timeCost }) => sum + memoryCost! * timeCost!, 0);
}

/** The lowest cost of a hash, so that the specs are fast. The results of the specs do not depend on the cost. */
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 };

describe('Password hasher', () => {
  const { hash, verify, needsRehash } = passwordHasher(cheap);

  it.each([
    ['the same', 'correct horse battery', 'correct horse battery', true],
    ['one password in NFC and NFD', 'na\u00efve caf\u00e9 table', 'nai\u0308ve cafe\u0301 table', true],
    ['one in upper case', 'correct horse battery', 'Correct horse battery', false],
    ['one with a space at its end', 'correct horse battery', 'correct horse battery ', false],
    ['one with a space before it', 'correct horse battery', ' correct horse battery', false],
    ['equal in the first 72 bytes', `${'x'.repeat(72)}12345678`, `${'x'.repeat(72)}87654321`, false],
    ['equal up to a NUL', 'abc\u0000def', 'abc', false],
    ['different only after a NUL', 'abc\u0000def', 'abc\u0000deg', false],
    ['emoji that share one surrogate', '\ud83d\ude00 smiling all day', '\ud83d\ude01 smiling all day', false],
    ['different lone surrogates', '\ud800 twelve letters', '\ud801 twelve letters', false],
    ['a lone surrogate and its replacement', '\ud800 twelve letters', '\ufffd twelve letters', false],
    ['of 64 characters', 'y'.repeat(64), 'y'.repeat(64), true],
    ['of 128 characters', '\u00e9'.repeat(128), 'e\u0301'.repeat(128), true],
    ['of 128 characters, but for the last', 'y'.repeat(128), `${'y'.repeat(127)}z`, false],
  ])('hashes one password and verifies another password with this hash: %s', async (_what, one, other, equal) => {
    expect(await verify(await hash(one), other)).toBe(equal);
  });

  it('accepts no password for an account without a hash, not even the password of the decoy hash', async () => {
    expect(await verify(null, 'correct horse battery')).toBe(false);
    expect(await verify(null, 'the password of no account')).toBe(false);
  });

  it('uses a random salt for each hash', async () => {
    const some = () => Promise.all(Array.from({ length: 50 }, () => hash('correct horse battery')));
    expect(new Set([...(await some()), ...(await some())]).size).toBe(100);
  });

  it.each([
    { memoryCost: 8_192, timeCost: 1, parallelism: 1 },
    { memoryCost: 19_456, timeCost: 1, parallelism: 1 },
    { memoryCost: 1_024, timeCost: 8, parallelism: 1 },
    { memoryCost: 8, timeCost: 1, parallelism: 1 },
    argon2Parameters,
  ])(
    'needs as much work for an old hash of $memoryCost KiB and $timeCost passes as for a current hash, even if the password is wrong',
    async (parameters) => {
      const today = passwordHasher();
      const stored = await passwordHasher(parameters).hash('correct horse battery');
      await today.verify(null, 'makes the decoy');
      const wanted = argon2Parameters.memoryCost * argon2Parameters.timeCost;
      for (const [password, right] of [
        ['correct horse battery', true],
        ['a guess', false],
      ] as const) {
        const work = watchWork();
        expect(await today.verify(stored, password)).toBe(right);
        expect(Math.abs(work() / wanted - 1)).toBeLessThan(0.01);
      }
    },
  );

  it('reports that a sign-in must replace a hash with another algorithm or with other parameters', async () => {
    const raised = passwordHasher({ ...cheap, timeCost: 2 });
    const before = await hash('correct horse battery');
    expect(needsRehash(before)).toBe(false);
    expect(raised.needsRehash(before)).toBe(true);
    expect(await raised.verify(before, 'correct horse battery')).toBe(true);
    expect(raised.needsRehash(await raised.hash('correct horse battery'))).toBe(false);
    expect(needsRehash(before.replace('argon2id', 'argon2i'))).toBe(true);
  });

  it('uses argon2id with the required parameters', async () => {
    expect(await passwordHasher().hash('correct horse battery')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('refuses passwords while its queue is full, and accepts passwords again afterwards', async () => {
    const attempts = Array.from({ length: 100 }, () => hash('correct horse battery').catch((why: unknown) => why));
    const answers = await Promise.all(attempts);
    expect(answers.filter((answer) => answer instanceof HashingOverloaded)).toHaveLength(100 - 66);
    expect(answers.filter((answer) => typeof answer === 'string')).toHaveLength(66);
    expect(await verify(null, 'after the rush')).toBe(false);
  });
});
