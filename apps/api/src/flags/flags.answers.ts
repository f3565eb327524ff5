import { Flag } from '@charter/organization-view';
import { z } from 'zod';

/** The metadata of a bulk answer. OpenTelemetry defines the names of the fields, except `revision`. */
const SetMetadata = z.strictObject({
  contextId: z.string(),
  flagSetId: z.string(),
  version: z.string(),
  revision: z.int().min(0),
});

const EventStream = z.strictObject({ type: z.literal('sse'), url: z.string(), inactivityDelaySec: z.int() }).meta({
  id: 'FlagEventStream',
  description: 'The address of the notices of the subject; the address contains a ticket',
});

/** The answer of `POST /ofrep/v1/evaluate/flags`: all flags of a subject. */
const flagListFields = {
  flags: z.array(Flag),
  metadata: SetMetadata,
  eventStreams: z.array(EventStream).exactOptional(),
};
export const FlagList = z.strictObject(flagListFields).meta({
  id: 'FlagList',
  examples: [
    {
      flags: [
        {
          ...{ key: 'feedback', value: true, reason: 'TARGETING_MATCH', variant: 'on' },
          metadata: { because: 'plan second/solo (event 1)', event: 1 },
        },
      ],
      metadata: {
        contextId: '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90',
        ...{ flagSetId: '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90', version: '4', revision: 4 },
      },
    },
  ],
});
export type FlagList = z.infer<typeof FlagList>;
