import { randomUUID } from 'node:crypto';
import type { Answer } from '../../support/requests/http';
import { done, founded, path } from '../../support/requests/organizations';
import { newFolder, type Options, type Served } from '../../support/serving';
import { type Browser, person, signedIn } from '../../support/sign-in/people';
import { selling, stripeSends } from '../sending';
import { type Item, message } from '../stripe/stripe-messages';
import { type StripeStandIn, stripeStandIn } from '../stripe/stripe-stand-in';
import { pricedCatalogue } from './priced-catalogue';

/** Charter, started with a payment provider, and the stand-in for this provider. */
type BillingService = Readonly<{ served: Served; stripe: StripeStandIn }>;

export async function billingService(options: Options = {}): Promise<BillingService & { close: () => Promise<void> }> {
  const folder = options.folder ?? newFolder();
  const stripe = await stripeStandIn();
  const environment = { CATALOGUE_FILE: pricedCatalogue(folder), ...stripe.environment, ...options.environment };
  const served = await selling({ ...options, folder, environment });
  return {
    served,
    stripe,
    close: async () => {
      await served.close();
      await stripe.close();
    },
  };
}

/** One service for all tests of a file. */
export function billingServiceForSpecs(): BillingService {
  let service: Awaited<ReturnType<typeof billingService>> | undefined;
  beforeAll(async () => {
    service = await billingService();
  });
  afterAll(() => service?.close());
  return {
    get served() {
      return service!.served;
    },
    get stripe() {
      return service!.stripe;
    },
  };
}

export type WantedCommand = Readonly<{ type: string; data: object }>;
export const solo: WantedCommand = { type: 'AssignPlan', data: { line: 'second', plan: 'solo' } };
export const users = (quantity: number): WantedCommand => ({
  type: 'PurchaseAddOn',
  data: { addOn: 'additionalUser', quantity },
});
/** The items of subscriptions in the provider's messages for the commands above. */
export const soloItem: Item = { id: 'si_plan', product: 'prod_Solo', price: 'price_second_solo' };
export const usersItem = (quantity: number): Item => ({
  ...{ id: 'si_users', product: 'prod_Users', price: 'price_additionalUser', quantity },
});

export type OrganizationWithBuyer = Awaited<ReturnType<typeof organizationWithBuyer>>;

/** An organization with an owner who buys. */
export async function organizationWithBuyer({ served, stripe }: BillingService) {
  const [key, account] = [await served.key(), await person(served)];
  const id = await founded(served, { by: key });
  await done(served, key, id, ['POST', '/members', { user: account.id, role: 'owner' }]);
  const owner = await signedIn(served, account);

  const preview = (commands: readonly WantedCommand[], once: string, by: Browser = owner): Promise<Answer> =>
    by.send('POST', path(id, '/preview'), { commands }, { headers: { 'Idempotency-Key': once } });
  const start = (commands: readonly WantedCommand[], shown: string, once?: string, by: Browser = owner) =>
    by.send(
      ...(['POST', path(id, '/checkout'), { commands, shown }] as const),
      once === undefined ? {} : { headers: { 'Idempotency-Key': once } },
    );
  /** Previews the commands, and starts a checkout for exactly what the preview shows. */
  const buy = async (...commands: readonly WantedCommand[]): Promise<Answer> => {
    const once = randomUUID();
    return start(commands, (await preview(commands, once)).body.shown as string, once);
  };
  const read = (session: string, by: Browser = owner) => by.get(path(id, `/checkout/${session}`));
  return {
    ...{ id, key, account, owner, preview, start, buy, read },
    stateOf: async (session: string) => (await read(session)).body.state as string,
    /** Pays a checkout at the provider. Returns functions that send messages about the new subscription. */
    pay: (session: string) => {
      const subscription = stripe.checkouts.pay(session);
      const fields = (items: readonly Item[]) => ({
        ...{ id: subscription, status: 'active' as const, items, organization: id },
      });
      const send = (event: object) => stripeSends(served, event);
      return {
        subscription,
        created: (items: readonly Item[], event = `evt_${randomUUID()}`) =>
          send(message(event, 'created', fields(items), 0)),
        updated: (items: readonly Item[], event = `evt_${randomUUID()}`) =>
          send(message(event, 'updated', fields(items), 60)),
      };
    },
    document: async () => (await served.ask('GET', path(id), { key })).body,
  };
}
