import { randomBytes, randomUUID } from 'node:crypto';
import type { RandomSource } from '@charter/identity';

/** The source of randomness of the process. Pure code gets it as a parameter. */
export const secureRandom: RandomSource = { bytes: (count) => randomBytes(count), uuid: () => randomUUID() };
