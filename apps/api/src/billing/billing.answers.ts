import { type MessageOutcome, messageOutcomes } from '@charter/billing';
import { messageStates } from '@charter/database';
import { ProductLine } from '@charter/organization';
import { At, Revision } from '@charter/organization-view';
import { z } from 'zod';

const ORGANIZATION = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
const moment = '2026-11-21T10:00:00.000Z';
const outcome = z.enum(messageOutcomes);

const reason = z
  .string()
  .meta({ description: 'Why the message is in quarantine, or why it changed nothing, for programs' })
  .exactOptional();

const detail = z
  .string()
  .meta({ description: 'The reason as a sentence for people, without personal data' })
  .exactOptional();

/** The result of a message. It contains the reason, so that the provider's delivery log shows it. */
export const messageResult = (
  id: string,
  { outcome, reason, detail }: Readonly<{ outcome: MessageOutcome; reason?: string; detail?: string }>,
) => ({ id, outcome, ...(reason !== undefined && { reason }), ...(detail !== undefined && { detail }) });

/** The outcomes of billing events, in the order of the events in the request. */
export const BillingResults = z
  .strictObject({
    results: z.array(z.strictObject({ id: z.string(), outcome, reason, detail })),
  })
  .meta({ id: 'BillingResults', examples: [{ results: [{ id: 'sale-1', outcome: 'applied' }] }] });

/** The outcome of a Stripe message. */
export const WebhookAnswer = z.strictObject({ id: z.string(), outcome, reason, detail }).meta({
  id: 'WebhookResult',
  examples: [
    {
      id: 'evt_1',
      outcome: 'quarantined',
      reason: 'unreadable',
      detail: 'items.data.0.created: is missing.',
    },
  ],
});

const item = z.string().exactOptional();
const soldPlan = { kind: z.literal('plan'), line: ProductLine, plan: z.string(), item };
const soldAddOn = { kind: z.literal('add-on'), purchase: z.string(), addOn: z.string(), quantity: z.int(), item };
const unknownItem = { item: z.string(), price: z.string(), product: z.string(), quantity: z.int() };

const message = {
  id: z.string(),
  provider: z.string(),
  message: z.string().meta({ description: 'The id that the payment provider gave to the message' }),
  type: z.string(),
  time: At,
  organization: z.string().nullable(),
  customer: z.string().nullable(),
  subscription: z.string().nullable(),
  holds: z.array(z.union([z.strictObject(soldPlan), z.strictObject(soldAddOn)])),
  ends: z.array(
    z.union([
      z.strictObject({ kind: z.literal('plan'), line: ProductLine }),
      z.strictObject({ kind: z.literal('add-on'), purchase: z.string() }),
    ]),
  ),
  unknown: z.array(z.strictObject(unknownItem)),
  state: z.enum(messageStates),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  attempts: z.int().min(0),
  received: At,
  settled: At.nullable(),
};
const example = {
  ...{ id: 'evt_1', provider: 'stripe', message: 'evt_1', type: 'customer.subscription.updated', time: moment },
  ...{ organization: null, customer: 'cus_1', subscription: 'sub_1', holds: [], ends: [], unknown: [] },
  ...{ state: 'quarantined' as const, reason: 'unmapped-customer', detail: null, attempts: 1 },
  ...{ received: moment, settled: moment },
};

/** A payment provider's message, without its original text. */
export const BillingMessageAnswer = z.strictObject(message).meta({ id: 'BillingMessage', examples: [example] });
export const BillingMessagePage = z
  .strictObject({ messages: z.array(BillingMessageAnswer), next: z.string().nullable() })
  .meta({ id: 'BillingMessagePage', examples: [{ messages: [example], next: null }] });
export const ReplayAnswer = z
  .strictObject({ ...message, outcome })
  .meta({ id: 'BillingReplay', examples: [{ ...example, state: 'applied', reason: null, outcome: 'applied' }] });

const paid = { provider: z.string(), subscription: z.string().nullable(), message: z.string(), since: At };
const notGranted = {
  ...paid,
  reason: z.enum(['unknown-price', 'another-plan-holds', 'changed-by-hand', 'fewer-granted', 'not-recorded']),
};
const granted = {
  by: z.enum(['hand', 'billing']),
  subscription: z.string().nullable(),
  message: z.string().nullable(),
  since: At,
  event: Revision,
};

/** Items that are paid and not granted, and items that are granted and not paid. */
export const ReconciliationAnswer = z
  .strictObject({
    organization: z.guid(),
    revision: z.int(),
    at: At,
    paidAndNotGranted: z.array(
      z.union([
        z.strictObject({ ...notGranted, ...soldPlan }),
        z.strictObject({ ...notGranted, ...soldAddOn }),
        z.strictObject({ ...notGranted, kind: z.literal('unknown'), ...unknownItem }),
      ]),
    ),
    grantedAndNotPaid: z.array(
      z.union([z.strictObject({ ...granted, ...soldPlan }), z.strictObject({ ...granted, ...soldAddOn })]),
    ),
  })
  .meta({
    id: 'Reconciliation',
    examples: [{ organization: ORGANIZATION, revision: 4, at: moment, paidAndNotGranted: [], grantedAndNotPaid: [] }],
  });
