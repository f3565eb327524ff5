import { randomUUID } from 'node:crypto';
import type { Answer } from '../support/requests/http';
import { founded, path } from '../support/requests/organizations';
import { eventsOf, type Options, type Served, serving } from '../support/serving';
import { type Item, type SubscriptionFields, message, signed, webhookSecret } from './stripe/stripe-messages';

/** Starts Charter with a public address that is not on loopback, so Charter ignores messages of Stripe's test mode. */
export const selling = (options: Options = {}): Promise<Served> =>
  serving({
    ...options,
    environment: {
      STRIPE_WEBHOOK_SECRETS: webhookSecret,
      STRIPE_SECRET_KEY: '',
      PUBLIC_URL: 'https://charter.example.com',
      ...options.environment,
    },
  });

type Client = Pick<Served, 'ask'>;

/** Sends a message like Stripe, signed with the current time. */
export function stripeSends(
  { ask }: Client,
  event: object | string,
  how: Parameters<typeof signed>[1] = {},
): Promise<Answer> {
  const { body, headers } = signed(event, how);
  return ask('POST', '/webhooks/stripe', { body, headers });
}

export type Sale = Readonly<{
  id: string;
  type: string;
  time: string;
  subject: string;
  data: object;
  source?: string;
}>;

/** Sends one event of a sale, or a batch, like a program of the operator's own shop. */
export const shopSends = ({ ask }: Client, key: string, sales: Sale | readonly Sale[]): Promise<Answer> =>
  ask('POST', '/api/v1/billing/events', {
    key,
    body: isBatch(sales) ? sales.map(cloudEvent) : cloudEvent(sales),
    headers: { 'Content-Type': `application/cloudevents${isBatch(sales) ? '-batch' : ''}+json` },
  });

const isBatch = (sales: Sale | readonly Sale[]): sales is readonly Sale[] => Array.isArray(sales);
export const cloudEvent = (sale: Sale) => ({ specversion: '1.0', source: 'https://shop.example.com', ...sale });

export const teams: Item = { id: 'si_plan', product: 'charter-second-teams' };
export const solo: Item = { id: 'si_plan', product: 'charter-second-solo' };
export const users = (quantity: number): Item => ({ id: 'si_users', product: 'charter-additional-user', quantity });

/** Founds an organization. Returns functions that build messages of Stripe and of the shop about this organization. */
export async function customer(served: Served, founding: Parameters<typeof founded>[1] = {}) {
  const organization = await founded(served, founding);
  const subscription = `sub_${organization.slice(0, 8)}`;
  const fields = (status: SubscriptionFields['status'], ...items: Item[]): SubscriptionFields => ({
    id: subscription,
    status,
    items,
    organization,
  });
  const key = await served.key();
  return {
    organization,
    subscription,
    key,
    fields,
    /** The public document of the organization. */
    document: async () => (await served.ask('GET', path(organization), { key })).body,
    entitlements: async () => (await served.ask('GET', path(organization, '/entitlements'), { key })).body,
    /** The events about plans and purchases of the organization, in order. */
    sold: async () =>
      (await eventsOf(served, `organization-${organization}`))
        .filter(({ type }) => /^(Plan|AddOn)/.test(type))
        .map(({ type, data, metadata }) => ({
          type,
          data: data as Record<string, unknown>,
          metadata: metadata as Record<string, unknown>,
        })),
    created: (id = `evt_${randomUUID()}`, after = 0, items: readonly Item[] = [teams]) =>
      message(id, 'created', fields('active', ...items), after),
    updated: (
      id = `evt_${randomUUID()}`,
      after = 60,
      status: SubscriptionFields['status'] = 'active',
      items: readonly Item[] = [teams],
    ) => message(id, 'updated', fields(status, ...items), after),
    deleted: (id = `evt_${randomUUID()}`, after = 600, items: readonly Item[] = [teams]) =>
      message(id, 'deleted', fields('canceled', ...items), after),
    sale: (id: string, type: string, time: string, data: object): Sale => ({
      id,
      type: `charter.${type}`,
      time,
      subject: organization,
      data,
    }),
  };
}
export type Customer = Awaited<ReturnType<typeof customer>>;
