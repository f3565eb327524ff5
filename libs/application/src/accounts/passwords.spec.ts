import { readdirSync, readFileSync } from 'node:fs';
import { parseOptions } from '@node-rs/argon2';
import { hashingThreads, type HashingThreads } from './hashing-threads';
import { argon2Parameters, HashingOverloaded, passwordHasher } from './passwords';

const opened: { close: () => Promise<void> }[] = [];
afterAll(() => Promise.all(opened.map(({ close }) => close())));

/** Threads that end after the specs. `work` adds up the work of all calls since `begin`: memory times passes. */
function countedThreads() {
  const threads = hashingThreads(2);
  opened.push(threads);
  let work = 0;
  const add = ({ memoryCost, timeCost }: { memoryCost: number; timeCost: number }) => (work += memoryCost * timeCost);
  const counted: HashingThreads = {
    hash: (password, cost) => {
      add(cost);
      return threads.hash(password, cost);
    },
    verify: (stored, password) => {
      add(parseOptions(stored));
      return threads.verify(stored, password);
    },
    close: threads.close,
  };
  return { threads: counted, begin: () => (work = 0), work: () => work };
}

/** The lowest cost of a hash, so that the specs are fast. The results of the specs do not depend on the cost. */
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 };

describe('A7: Password hasher', () => {
  const { threads, begin, work } = countedThreads();
  const hasherOf = (cost?: typeof argon2Parameters) => passwordHasher(cost, threads);
  const { hash, verify, needsRehash } = hasherOf(cheap);

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

  it('makes the decoy hash anew after a failure, so that one failed thread does not end all sign-ins', async () => {
    let failures = 1;
    const failing: HashingThreads = {
      ...threads,
      hash: (...job) => (failures-- > 0 ? Promise.reject(new Error('The thread has ended.')) : threads.hash(...job)),
    };
    const hasher = passwordHasher(cheap, failing);
    await expect(hasher.verify(null, 'a guess')).rejects.toThrow('The thread has ended.');
    expect(await hasher.verify(await hash('correct horse battery'), 'correct horse battery')).toBe(true);
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
      const today = hasherOf();
      const stored = await hasherOf(parameters).hash('correct horse battery');
      await today.verify(null, 'makes the decoy');
      const wanted = argon2Parameters.memoryCost * argon2Parameters.timeCost;
      for (const [password, right] of [
        ['correct horse battery', true],
        ['a guess', false],
      ] as const) {
        begin();
        expect(await today.verify(stored, password)).toBe(right);
        expect(Math.abs(work() / wanted - 1)).toBeLessThan(0.01);
      }
    },
  );

  it('reports that a sign-in must replace a hash with another algorithm or with other parameters', async () => {
    const raised = hasherOf({ ...cheap, timeCost: 2 });
    const before = await hash('correct horse battery');
    expect(needsRehash(before)).toBe(false);
    expect(raised.needsRehash(before)).toBe(true);
    expect(await raised.verify(before, 'correct horse battery')).toBe(true);
    expect(raised.needsRehash(await raised.hash('correct horse battery'))).toBe(false);
    expect(needsRehash(before.replace('argon2id', 'argon2i'))).toBe(true);
  });

  it('uses argon2id with the required parameters', async () => {
    expect(await hasherOf().hash('correct horse battery')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('refuses passwords while its queue is full, and accepts passwords again afterwards', async () => {
    const attempts = Array.from({ length: 100 }, () => hash('correct horse battery').catch((why: unknown) => why));
    const answers = await Promise.all(attempts);
    expect(answers.filter((answer) => answer instanceof HashingOverloaded)).toHaveLength(100 - 66);
    expect(answers.filter((answer) => typeof answer === 'string')).toHaveLength(66);
    expect(await verify(null, 'after the rush')).toBe(false);
  });

  it('reports a stored hash that cannot be read, and hashes afterwards', async () => {
    await expect(verify('$argon2id$v=19$m=8,t=1,p=1$c2FsdA$broken', 'correct horse battery')).rejects.toThrow();
    expect(await verify(await hash('correct horse battery'), 'correct horse battery')).toBe(true);
  });
});

describe('Hashing threads', () => {
  it('compute all accepted hashes, also after their threads have ended', async () => {
    const { threads } = countedThreads();
    expect(await threads.verify(await threads.hash('a', cheap), 'a')).toBe(true);
    const unfinished = threads.hash('b', argon2Parameters);
    await threads.close();
    await expect(unfinished).rejects.toThrow('The password could not be hashed: the thread has ended');
    expect(await threads.verify(await threads.hash('c', cheap), 'c')).toBe(true);
  });

  it('have a lower priority than the threads of the requests, on Linux', async () => {
    const before = nicenessOfThreads();
    const { threads } = countedThreads();
    await Promise.all([threads.hash('a', cheap), threads.hash('b', cheap)]);
    const after = nicenessOfThreads();
    const own = before.get(process.pid) ?? 0;
    const lower = [...after].filter(([id, niceness]) => !before.has(id) && niceness > own);
    expect(lower).toHaveLength(isOnLinux ? 2 : 0);
    expect(after.get(process.pid)).toBe(before.get(process.pid));
  });
});

const isOnLinux = process.platform === 'linux';

/**
 * The niceness of each thread of this process; empty on a system without a niceness of threads. A thread whose number
 * is the process's number runs the specs.
 */
function nicenessOfThreads(): Map<number, number> {
  const niceness = (id: string) =>
    // The name of a thread is in brackets and may contain spaces; the niceness is the seventeenth field behind it.
    Number(readFileSync(`/proc/self/task/${id}/stat`, 'latin1').replace(/.*\) /s, '').split(' ')[16]);
  const threads = isOnLinux ? readdirSync('/proc/self/task') : [];
  return new Map(threads.map((id) => [Number(id), niceness(id)]));
}
