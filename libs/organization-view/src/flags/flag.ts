import type { Immutable } from '@charter/decider';
import { z } from 'zod';

/**
 * The value of an unlimited limit: the largest integer of 32 bits. OpenFeature's Java SDK reads integers of 32 bits.
 * Null is a type mismatch in the JavaScript SDK (`flags.md`, Values).
 */
export const UNLIMITED = 2_147_483_647;

/** OFREP allows only these types of values in metadata: no objects, no lists, no null. */
const Metadata = z.record(z.string(), z.union([z.boolean(), z.string(), z.number()]));

/**
 * Why a flag has its value, in OpenFeature's words. `TARGETING_MATCH`: an event of the organization decides.
 * `DISABLED`: the organization is closed, or its product is disabled. `STATIC`: nothing grants the value, or the value
 * is the same for all organizations. Charter never answers `SPLIT`, because it has no experiments.
 */
const FlagReason = z.enum(['STATIC', 'TARGETING_MATCH', 'DISABLED']);

const flagFields = { reason: FlagReason, variant: z.string(), metadata: Metadata };

/** A flag of OFREP with its value. */
export const Flag = z
  .strictObject({ key: z.string(), value: z.union([z.boolean(), z.string(), z.int()]), ...flagFields })
  .meta({
    id: 'Flag',
    description: 'A flag with its value; `metadata` contains the reasons as one line of text',
    examples: [
      {
        ...{ key: 'feedback', value: true, reason: 'TARGETING_MATCH', variant: 'on' },
        metadata: { because: 'plan second/solo (event 1)', event: 1 },
      },
    ],
  });
export type Flag = Immutable<z.infer<typeof Flag>>;
