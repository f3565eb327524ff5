import { At, Revision, timelineFields } from '@charter/organization-view';
import { Resource } from '@charter/organization';
import { z } from 'zod';
import { AsOf } from '../../organizations/organization.requests';
import { AboutQuery } from '../history.requests';

const BINS_MAX = 480;

/** The axis, the number of bins, and the part of the history that a time bar requests. */
export const TimelineQuery = z.strictObject({
  axis: z.enum(['event', 'time']).default('event'),
  bins: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, `must be 1 to ${BINS_MAX}`)
    .transform(Number)
    .refine((bins) => bins <= BINS_MAX, `must be 1 to ${BINS_MAX}`)
    .default(120),
  about: AboutQuery.optional(),
  asOf: AsOf.optional(),
});
export type TimelineQuery = z.infer<typeof TimelineQuery>;

const at = '2026-11-21T10:00:00.000Z';
const first = { revision: 0, at: '2026-11-01T09:00:00.000Z' };
const last = { revision: 1, at };

/** The answer of `GET /api/v1/organizations/:id/timeline`. */
export const TimelineAnswer = z
  .strictObject({
    organization: z.guid(),
    ...timelineFields,
    signed: z
      .strictObject({ at: At, events: z.int().min(0) })
      .nullable()
      .meta({
        description: 'The number of events that the last signed checkpoint covers; null: no checkpoint was signed',
      }),
    ahead: z
      .array(z.strictObject({ at: At, what: z.literal('override-ends'), event: Revision }))
      .exactOptional()
      .meta({
        description: 'Changes that will happen without an event, such as the end of an override; absent with `asOf`',
      }),
  })
  .meta({
    id: 'Timeline',
    examples: [
      {
        ...{ organization: '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90', first, last },
        bins: [{ first: 0, last: 1, from: first.at, to: at, events: 2, groups: { founding: 1, plan: 1 } }],
        marks: [{ ...last, effectiveAt: first.at, backDated: true, type: 'PlanAssigned', group: 'plan' }],
        marksInAll: 1,
        over: [{ resource: Resource.options[0]!, from: last, to: null, most: 3 }],
        overInAll: 1,
        signed: { at, events: 1 },
        ahead: [{ at: '2026-12-31T00:00:00.000Z', what: 'override-ends', event: 1 }],
      },
    ],
  });
export type TimelineAnswer = z.infer<typeof TimelineAnswer>;
