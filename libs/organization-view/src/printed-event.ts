import { eventDataSchema, eventTypes, type EventType, type OrganizationEvent } from '@charter/organization';
import { z } from 'zod';

const eventAnswer = (type: EventType) =>
  z.strictObject({ type: z.literal(type), data: eventDataSchema(type) }).meta({ id: type });
const [first, ...others] = eventTypes.map(eventAnswer);

/** The form of an event in receipts and previews: its type and its data. */
export const EventAnswer = z
  .discriminatedUnion('type', [first!, ...others])
  .meta({ id: 'OrganizationEvent' }) as unknown as z.ZodType<OrganizationEvent>; // each event type has its own data
