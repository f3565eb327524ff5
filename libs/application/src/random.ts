import { randomBytes, randomUUID } from 'node:crypto';
import type { RandomSource } from '@charter/identity';

/** The process's source of random numbers. Pure functions get the source of random numbers as a parameter. */
export const secureRandom: RandomSource = { bytes: (count) => randomBytes(count), uuid: () => randomUUID() };
