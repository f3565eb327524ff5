import { ProductLine, words } from '@charter/organization';
import { z } from 'zod';
import type { BillingFact, MessageHead, TranslatedMessage } from './fact';

const attribute = z.union([z.string(), z.number(), z.boolean()]).nullable();

/**
 * A billing event in CloudEvents 1.0, JSON format, structured mode. `source` and `id` together identify the event,
 * `time` determines the event's place in the order, and `subject` is the organization. The standard allows extension
 * attributes whose names are lower-case letters and digits. An optional attribute that is null counts as absent.
 */
export const BillingEvent = z
  .object({
    specversion: z.literal('1.0'),
    id: words.ProviderId,
    source: words.ProviderId.max(200),
    type: words.ProviderId,
    time: words.When,
    subject: words.Id,
    datacontenttype: z
      .string()
      .regex(/^application\/(?:[\w.-]+\+)?json(?:;.*)?$/i, 'must be application/json')
      .nullish(),
    dataschema: z.string().max(2_000).nullish(),
    data: z.unknown(),
  })
  .catchall(attribute)
  .refine((event) => Object.entries(event).every(([name, value]) => value === null || /^[a-z0-9]+$/.test(name)), {
    message: 'has an attribute whose name is not made of lower-case letters and digits',
  });
export type BillingEvent = z.infer<typeof BillingEvent>;

/** The name of a plan or an add-on in the catalogue. */
const CatalogueName = words.ProviderId.max(100);

/** The schema of the data for each event type (`api.md`, Billing). */
const statements = {
  'charter.plan.assigned': z
    .strictObject({ line: ProductLine, plan: CatalogueName, subscription: words.ProviderId.optional() })
    .transform(({ line, plan, subscription }) => statement({ holds: [{ kind: 'plan', line, plan }] }, subscription)),
  'charter.plan.ended': z
    .strictObject({ line: ProductLine, subscription: words.ProviderId.optional() })
    .transform(({ line, subscription }) => statement({ ends: [{ kind: 'plan', line }] }, subscription)),
  'charter.add-on.purchased': z
    .strictObject({ purchase: words.ProviderId, addOn: CatalogueName, quantity: words.Quantity })
    .transform((hold) => statement({ holds: [{ kind: 'add-on', ...hold }] })),
  'charter.add-on.cancelled': z
    .strictObject({ purchase: words.ProviderId })
    .transform(({ purchase }) => statement({ ends: [{ kind: 'add-on', purchase }] })),
} as const;

type Statement = Pick<BillingFact, 'holds' | 'ends' | 'subscription'>;
const statement = (changes: Partial<Statement>, subscription?: string): Statement => ({
  holds: [],
  ends: [],
  ...changes,
  ...(subscription !== undefined && { subscription }),
});

const billingEventTypes = Object.keys(statements) as readonly (keyof typeof statements)[];

/**
 * Translates a billing event to a fact. Each event changes one plan or one purchase.
 * @throws z.ZodError when the data does not match the event's type; the sender must correct the data
 */
export function cloudEventFacts(event: BillingEvent): TranslatedMessage {
  const { id, source, type, time, subject } = event;
  const head: MessageHead = { provider: `cloudevents:${source}`, id, type, time };
  if (!isUsed(type))
    return {
      head,
      kind: 'ignored',
      reason: 'type-not-used',
      detail: `Charter uses only these types: ${billingEventTypes.join(', ')}.`,
    };
  const fact: BillingFact = {
    ...head,
    organization: subject,
    isWhole: false,
    ...statements[type].parse(event.data),
    unknown: [],
  };
  return { head, kind: 'fact', fact };
}

const isUsed = (type: string): type is keyof typeof statements => Object.hasOwn(statements, type);
