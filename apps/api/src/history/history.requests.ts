import { eventTypes } from '@charter/organization';
import { isAbout, isSubject, subjectNames } from '@charter/organization-view';
import { eventFilter } from '@charter/aggregates';
import { contentOf, type StoredEvent } from '@charter/event-log';
import { z } from 'zod';
import { AsOf, Valid } from '../organizations/organization.requests';
import { cursorsOf, PageLimit } from '../http/input/paging';
import { Pointer } from '../http/input/pointer';

const cursors = cursorsOf(z.tuple([z.enum(['oldest', 'newest']), z.int().min(0)]), 200);
export const eventsCursor = (order: 'oldest' | 'newest', revision: number): string => cursors.at([order, revision]);

/** The pattern of an event type in a comma-separated list. */
const anyType = `(${eventTypes.join('|')})`;
const Types = z
  .string()
  .max(2_000, { abort: true })
  .regex(new RegExp(`^${anyType}(,${anyType})*$`), {
    error: ({ input }) => {
      const unknown = String(input)
        .split(',')
        .filter((name) => !eventTypes.some((type) => type === name));
      return `has ${unknown.map((name) => name || 'nothing').join(', ')}, which is no type of event. The types are ${eventTypes.join(', ')}`;
    },
  })
  .transform((types) => types.split(','));

/**
 * The path of a field, or of a list's entry, in an organization's state. The answer contains only the events that
 * change this part of the state.
 */
export const AboutQuery = Pointer.refine((names) => isSubject(names), {
  error: `must be a path such as /members or /members/ID that begins with ${subjectNames.join(', ')}`,
});

/** The id of the request or billing message that caused events. */
const CorrelationQuery = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be the correlation of an event');

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
    'not-type': Types.optional(),
    actor: ActorQuery.optional(),
    about: AboutQuery.optional(),
    correlation: CorrelationQuery.optional(),
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

/**
 * Returns a function that checks whether an event matches the filters of the query; undefined if the query has no
 * filter.
 */
export function wantedEvents(query: EventsQuery): ((event: StoredEvent) => boolean) | undefined {
  const { type: types, 'not-type': notTypes, actor, about, correlation } = query;
  const fields = { types, notTypes, actor, correlation };
  if (about === undefined && Object.values(fields).every((field) => field === undefined)) return undefined;
  const isNamed = eventFilter(fields);
  const isSubject = about ? isAbout(about) : () => true;
  return (event) => isNamed(event) && isSubject({ type: event.type, data: contentOf(event)?.data });
}

export const DiffQuery = z.strictObject({ from: AsOf, to: AsOf.optional(), valid: Valid.optional() });
export type DiffQuery = z.infer<typeof DiffQuery>;
