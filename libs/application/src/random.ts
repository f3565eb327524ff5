import { randomBytes, randomUUID } from 'node:crypto';
import type { RandomSource } from '@charter/identity';

/** The process's source of randomness, for pure code that takes one as a parameter. */
export const secureRandom: RandomSource = { bytes: (count) => randomBytes(count), uuid: () => randomUUID() };
