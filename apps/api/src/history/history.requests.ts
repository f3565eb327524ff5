import { eventTypes, words } from '@charter/organization';
import { z } from 'zod';
import { AsOf, Valid } from '../organizations/organization.requests';
import { cursorsOf, PageLimit } from '../http/input/paging';

const cursors = cursorsOf(z.tuple([z.enum(['oldest', 'newest']), z.int().min(0)]), 200);
export const eventsCursor = (order: 'oldest' | 'newest', revision: number): string => cursors.at([order, revision]);

/** Event types, separated by commas. */
const anyType = `(${eventTypes.join('|')})`;
const Types = z
  .string()
  .max(2_000)
  .regex(new RegExp(`^${anyType}(,${anyType})*$`), {
    error: ({ input }) => {
      const unknown = String(input)
        .split(',')
        .filter((name) => !eventTypes.some((type) => type === name));
      return `has ${unknown.map((name) => name || 'nothing').join(', ')}, which is no type of event. The types are ${eventTypes.join(', ')}`;
    },
  })
  .transform((types) => types.split(','));

/** An actor's id, or a kind of actor: account, key, billing, system. */
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
    fold: z.literal('repetitions').optional(),
    cursor: cursors.Cursor.optional(),
    limit: PageLimit,
  })
  .refine(({ cursor, order }) => cursor === undefined || cursor[0] === order, {
    path: ['cursor'],
    message: 'belongs to a list in the other order',
  });
export type EventsQuery = z.infer<typeof EventsQuery>;

export const DiffQuery = z.strictObject({ from: AsOf, to: AsOf.optional(), valid: Valid.optional() });
export type DiffQuery = z.infer<typeof DiffQuery>;

export const OrganizationIdParam = words.Id;
