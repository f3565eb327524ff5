import { randomBytes, randomUUID } from 'node:crypto';
import type { RandomSource } from '@charter/identity';

/** The process's source of random numbers. Pure functions get it as a parameter. */
export const secureRandom: RandomSource = { bytes: (count) => randomBytes(count), uuid: () => randomUUID() };
