import { randomBytes, randomUUID } from 'node:crypto';
import type { Random } from '@charter/identity';

/** Randomness that nobody can guess, for all that is pure and gets it handed in. */
export const random: Random = { bytes: (count) => randomBytes(count), uuid: () => randomUUID() };
