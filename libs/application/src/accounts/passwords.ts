import { concurrencyLimit } from '@charter/event-log';
import { normalPassword } from '@charter/identity';
import { parseOptions } from '@node-rs/argon2';
import { hashingThreads, type HashingThreads } from './hashing-threads';

/** Hashes passwords with argon2id in PHC format, each with a random salt. */
export type PasswordHasher = Readonly<{
  /** @throws HashingOverloaded */
  hash: (password: string) => Promise<string>;
  /**
   * Whether the password belongs to the hash; false if there is no hash. Always does the same work, so that the time
   * does not reveal which accounts exist.
   * @throws HashingOverloaded
   */
  verify: (hash: string | null, password: string) => Promise<boolean>;
  /** Whether the hash has other parameters than the current parameters. If so, the next sign-in replaces the hash. */
  needsRehash: (hash: string) => boolean;
  /** Ends the threads that hash. */
  close: () => Promise<void>;
}>;

/** Thrown when the queue of password hashes is full. No password was checked, so a later attempt may succeed. */
export class HashingOverloaded extends Error {
  constructor() {
    super('Too many passwords are being checked at once. Try again in a few seconds.');
    this.name = 'HashingOverloaded';
  }
}
const full = () => new HashingOverloaded();

/**
 * The cost of one guess with argon2id: KiB of memory, number of passes over the memory, number of lanes
 * (`acceptance.md` A7).
 */
export const argon2Parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function passwordHasher(
  cost: typeof argon2Parameters = argon2Parameters,
  { hash, verify, close }: HashingThreads = hashingThreads(THREADS),
): PasswordHasher {
  const limited = concurrencyLimit({ runningMax: HASHING_MAX, waitingMax: WAITING_MAX, full });
  let decoy: Promise<string> | undefined;
  /** After a failure, for example of a thread, the next call makes the decoy anew. */
  const madeDecoy = () =>
    hash('the password of no account', cost).catch((error: unknown) => {
      decoy = undefined;
      throw error;
    });

  return {
    hash: (password) => limited(() => hash(encodable(password), cost)),
    verify: (stored, password) =>
      limited(async () => {
        decoy ??= madeDecoy();
        const decoyHash = await decoy; // every call awaits the decoy, whether or not the account exists
        const right = await verify(stored ?? decoyHash, encodable(password));
        const missing = stored === null ? undefined : secondHashCost(stored, cost);
        if (missing) await hash('the password of no account', missing);
        return right && stored !== null;
      }),
    needsRehash: (stored) => {
      const { memoryCost, timeCost, parallelism } = parseOptions(stored);
      const sameWork = memoryCost === cost.memoryCost && timeCost === cost.timeCost;
      return !sameWork || parallelism !== cost.parallelism || !stored.startsWith('$argon2id$');
    },
    close,
  };
}

/**
 * The cost of the second hash that the process computes after the check of a weaker stored hash. Both hashes together
 * need as much time as one current hash, because the time of argon2 grows with memory times passes. Undefined if the
 * stored hash is not weaker, or if the difference is less than the smallest cost of argon2.
 */
function secondHashCost(stored: string, cost: typeof argon2Parameters): typeof argon2Parameters | undefined {
  const { memoryCost, timeCost } = parseOptions(stored);
  const rest = cost.memoryCost * cost.timeCost - memoryCost * timeCost;
  const memory = Math.round(rest / cost.timeCost);
  return memory < MEMORY_MIN ? undefined : { ...cost, memoryCost: memory };
}
/** The minimum memory of argon2 for one lane, in KiB. */
const MEMORY_MIN = 8;

/**
 * A password with a lone surrogate is hashed in its JSON form, because UTF-8 encodes all lone surrogates as the same
 * bytes.
 */
const encodable = (password: string): string => {
  const normal = normalPassword(password);
  return normal.isWellFormed() ? normal : `\0${JSON.stringify(normal)}`;
};

/** The number of threads that hash passwords. */
const THREADS = 2;
/**
 * The maximum number of started calls. Each thread has a second hash to compute, so that it need not wait for the
 * thread of the requests after a hash.
 */
const HASHING_MAX = 2 * THREADS;
/** The maximum number of waiting calls. All accepted calls are about one second of work. */
const WAITING_MAX = 62;
