import { randomBytes, randomUUID } from 'node:crypto';
import type { RandomSource } from '@charter/identity';

/** Randomness that nobody can guess, for all that is pure and gets it handed in. */
export const secureRandom: RandomSource = { bytes: (count) => randomBytes(count), uuid: () => randomUUID() };
