import { randomUUID } from 'node:crypto';
import type { Answer } from '../support/requests/http';
import { founded, path } from '../support/requests/organizations';
import { eventsOf, type Options, type Served, serving } from '../support/serving';
import { type Item, type Life, message, signed, webhookSecret } from './stripe/stripe-messages';

/** A service that Stripe may send to, on an address of its own where live messages alone count. */
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

type Asking = Pick<Served, 'ask'>;

/** Stripe sends a message, freshly signed. */
export function stripeSends(
  { ask }: Asking,
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

/** Somebody's own program sends events of sales, one or a batch. */
export const shopSends = ({ ask }: Asking, key: string, sales: Sale | readonly Sale[]): Promise<Answer> =>
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

/** An organization with a subscription of its own, and what Stripe and the shop say about it. */
export async function customer(served: Served, wish: Parameters<typeof founded>[1] = {}) {
  const organization = await founded(served, wish);
  const subscription = `sub_${organization.slice(0, 8)}`;
  const life = (status: Life['status'], ...items: Item[]): Life => ({ id: subscription, status, items, organization });
  const key = await served.key();
  return {
    organization,
    subscription,
    key,
    life,
    /** What it holds: the public document. */
    document: async () => (await served.ask('GET', path(organization), { key })).body,
    entitlements: async () => (await served.ask('GET', path(organization, '/entitlements'), { key })).body,
    /** How its plans and purchases changed, in order. */
    sold: async () =>
      (await eventsOf(served, `organization-${organization}`))
        .filter(({ type }) => /^(Plan|AddOn)/.test(type))
        .map(({ type, data, metadata }) => ({
          type,
          data: data as Record<string, unknown>,
          metadata: metadata as Record<string, unknown>,
        })),
    created: (id = `evt_${randomUUID()}`, after = 0, items: readonly Item[] = [teams]) =>
      message(id, 'created', life('active', ...items), after),
    updated: (
      id = `evt_${randomUUID()}`,
      after = 60,
      status: Life['status'] = 'active',
      items: readonly Item[] = [teams],
    ) => message(id, 'updated', life(status, ...items), after),
    deleted: (id = `evt_${randomUUID()}`, after = 600, items: readonly Item[] = [teams]) =>
      message(id, 'deleted', life('canceled', ...items), after),
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
