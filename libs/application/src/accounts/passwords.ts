import { concurrencyLimit } from '@charter/event-log';
import { normalPassword } from '@charter/identity';
import { hash, parseOptions, verify } from '@node-rs/argon2';

/** Hashes passwords with argon2id in PHC format, each with a random salt. */
export type PasswordHasher = Readonly<{
  /** @throws HashingOverloaded */
  hash: (password: string) => Promise<string>;
  /**
   * Without a hash it does the same work and returns false, so that the time does not reveal which accounts exist. The
   * same work is done for a hash with weaker parameters.
   * @throws HashingOverloaded
   */
  verify: (hash: string | null, password: string) => Promise<boolean>;
  /** Whether the hash has other parameters than the current ones. The next sign-in then replaces it. */
  needsRehash: (hash: string) => boolean;
}>;

/** The queue of password hashes is full. No password was checked, so a later attempt may succeed. */
export class HashingOverloaded extends Error {
  constructor() {
    super('Too many passwords are being checked at once. Try again in a few seconds.');
    this.name = 'HashingOverloaded';
  }
}
const full = () => new HashingOverloaded();

/** The cost of one guess with argon2id: KiB of memory, passes over it, lanes (`acceptance.md` A7). */
export const argon2Parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function passwordHasher(cost: typeof argon2Parameters = argon2Parameters): PasswordHasher {
  const limited = concurrencyLimit({ runningMax: HASHING_MAX, waitingMax: WAITING_MAX, full });
  let decoy: Promise<string> | undefined;

  return {
    hash: (password) => limited(() => hash(encodable(password), cost)),
    verify: (stored, password) =>
      limited(async () => {
        decoy ??= hash('the password of no account', cost);
        const decoyHash = await decoy; // awaited at every call, so that the first call takes no longer than the others
        const right = await verify(stored ?? decoyHash, encodable(password));
        const missing = stored === null ? undefined : workMissing(stored, cost);
        if (missing) await hash('the password of no account', missing);
        return right && stored !== null;
      }),
    needsRehash: (stored) => {
      const { memoryCost, timeCost, parallelism } = parseOptions(stored);
      const sameWork = memoryCost === cost.memoryCost && timeCost === cost.timeCost;
      return !sameWork || parallelism !== cost.parallelism || !stored.startsWith('$argon2id$');
    },
  };
}

/**
 * The cost of a second hash that makes a weaker hash as expensive as today's: the time of argon2 grows with memory
 * times passes. Undefined: the hash is as expensive, or the rest is too small to measure.
 */
function workMissing(stored: string, cost: typeof argon2Parameters): typeof argon2Parameters | undefined {
  const { memoryCost, timeCost } = parseOptions(stored);
  const rest = cost.memoryCost * cost.timeCost - memoryCost * timeCost;
  const memory = Math.round(rest / cost.timeCost);
  return memory < MEMORY_MIN ? undefined : { ...cost, memoryCost: memory };
}
/** KiB; argon2 takes no less for one lane. */
const MEMORY_MIN = 8;

/** UTF-8 encodes all lone surrogates alike, so a password that has one is hashed in its JSON form. */
const encodable = (password: string): string => {
  const normal = normalPassword(password);
  return normal.isWellFormed() ? normal : `\0${JSON.stringify(normal)}`;
};

/** The number of the pool's threads that hash passwords; the rest stay free for other work. */
const HASHING_MAX = 2;
/** The length of the queue, which is about one second of work. */
const WAITING_MAX = 64;
