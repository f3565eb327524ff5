import { z } from 'zod';

/** An amount; null means unlimited. */
export const Amount = z.number().nullable();

/** A moment in UTC. */
export const At = z.iso.datetime();

/** The revision of an event: the number of the event in its stream. The first event has the revision 0. */
export const Revision = z.int().min(0);

/** The event that set the present value of a field, and the moment when the event was recorded. */
export const Since = z.strictObject({ event: Revision, at: At }).meta({ id: 'Since' });

export const ActorField = z.strictObject({ kind: z.enum(['account', 'key', 'billing', 'system']), id: z.string() });
