import { normalPassword } from '@charter/identity';
import { hash, parseOptions, verify } from '@node-rs/argon2';

/** Passwords as they are stored: argon2id, in PHC form, each with a salt of its own. */
export type PasswordHasher = Readonly<{
  /** @throws Busy */
  hash: (password: string) => Promise<string>;
  /** Without a hash it does the same work and says no, so that nobody learns from the time who exists. @throws Busy */
  verify: (hash: string | null, password: string) => Promise<boolean>;
  /** Whether it was made with other parameters than those of today: then it is time for a new one, at the next sign-in. */
  needsRehash: (hash: string) => boolean;
}>;

/** More passwords are being hashed than may wait. Nothing was judged; it is worth trying again. */
export class HashingOverloaded extends Error {
  constructor() {
    super('Too many passwords are being checked at once. Try again in a few seconds.');
    this.name = 'HashingOverloaded';
  }
}

/** What makes guessing expensive, for argon2id: KiB of memory, passes over it, lanes (`acceptance.md` A7). */
export const argon2Parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function passwordHasher(cost: typeof argon2Parameters = argon2Parameters): PasswordHasher {
  const turn = bounded(AT_ONCE_MAX, WAITING_MAX);
  let decoy: Promise<string> | undefined;

  return {
    hash: (password) => turn(() => hash(writtenOut(password), cost)),
    verify: (stored, password) =>
      turn(async () => {
        decoy ??= hash('nobody has this password', cost);
        const nobodys = await decoy; // also where it is not needed: the first one takes as long for everyone
        const right = await verify(stored ?? nobodys, writtenOut(password));
        return right && stored !== null;
      }),
    needsRehash: (stored) => {
      const { memoryCost, timeCost, parallelism } = parseOptions(stored);
      const sameWork = memoryCost === cost.memoryCost && timeCost === cost.timeCost;
      return !sameWork || parallelism !== cost.parallelism || !stored.startsWith('$argon2id$');
    },
  };
}

/** Halves of letters that stand alone would all be hashed as the same one: they are written as JSON writes them. */
const writtenOut = (password: string): string => {
  const normal = normalPassword(password);
  return normal.isWellFormed() ? normal : `\0${JSON.stringify(normal)}`;
};

/** So many at a time, so many waiting, and no more. */
function bounded(atOnce: number, waitingMax: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) throw new HashingOverloaded();
      await new Promise<void>((resolve) => waiting.push(resolve)); // whoever ends hands its place on
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** Threads that hash; the rest of the process keeps the others. */
const AT_ONCE_MAX = 2;
/** About a second of work. */
const WAITING_MAX = 64;
