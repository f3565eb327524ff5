import { words } from '@charter/organization';
import { z } from 'zod';
import { AsOf, Valid } from '../organization.requests';
import { cursorsOf, Limit } from '../request/paging';

const place = cursorsOf(z.tuple([z.enum(['oldest', 'newest']), z.int().min(0)]), 200);
export const eventsCursor = (order: 'oldest' | 'newest', revision: number): string => place.at([order, revision]);

/** Names of types of events, separated by commas. */
const Types = z
  .string()
  .regex(
    /^[A-Za-z]{1,100}(,[A-Za-z]{1,100}){0,49}$/,
    'must be types of events such as PlanAssigned, separated by commas',
  )
  .transform((types) => types.split(','));

/** An id, or a kind: account, key, billing, system. */
const ActorQuery = z
  .string()
  .max(255)
  .regex(/^[\x21-\x7e]+$/, 'must be the id of an actor, or a kind: account, key, billing, system');

export const EventsQuery = z
  .strictObject({
    from: AsOf.optional(),
    to: AsOf.optional(),
    type: Types.optional(),
    actor: ActorQuery.optional(),
    order: z.enum(['oldest', 'newest']).default('oldest'),
    cursor: place.Cursor.optional(),
    limit: Limit,
  })
  .refine(({ cursor, order }) => cursor === undefined || cursor[0] === order, {
    path: ['cursor'],
    message: 'is of the other order',
  });
export type EventsQuery = z.infer<typeof EventsQuery>;

export const DiffQuery = z.strictObject({ from: AsOf, to: AsOf.optional(), valid: Valid.optional() });
export type DiffQuery = z.infer<typeof DiffQuery>;

export const Id = words.Id;
