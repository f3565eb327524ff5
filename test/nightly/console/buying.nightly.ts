import type { Page } from 'playwright-core';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { message, signed, webhookSecret } from '../../billing/stripe/stripe-messages';
import { usersItem } from '../../billing/checkout/checkout-service';
import { pricedCatalogue } from '../../billing/checkout/priced-catalogue';
import { type StripeStandIn, stripeStandIn } from '../../billing/stripe/stripe-stand-in';
import { call } from '../../journeys/browser/page-actions';
import { staged } from '../../journeys/browser/stage';
import { startBuiltService } from '../../journeys/built-service';
import { organizationOnTeams } from '../../journeys/recorded';
import { eventNumber, expectBack, expectStop, PASSWORD, pressed, seen, signedIn } from '../../journeys/browser/stops';

let stripe: StripeStandIn;
const stage = staged(async () => {
  stripe = await stripeStandIn();
  const folder = mkdtempSync(join(tmpdir(), 'charter-buying-'));
  return startBuiltService({
    ...stripe.environment,
    STRIPE_WEBHOOK_SECRETS: webhookSecret,
    CATALOGUE_FILE: pricedCatalogue(folder),
  });
});
afterAll(() => stripe.close());

const OLGA = 'olga@pier.example';
let olga: string;
beforeAll(async () => {
  olga = await stage.service.settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD });
}, 60_000);

/** Sends a message about a subscription, as Stripe does, and returns the outcome. */
async function send(id: string, organization: string, subscription: string, item: ReturnType<typeof usersItem>) {
  const event = message(id, 'created', { id: subscription, status: 'active', items: [item], organization }, 0);
  const { body, headers } = signed(event);
  const answer = await fetch(`${stage.service.url}/webhooks/stripe`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  return ((await answer.json()) as { outcome: string }).outcome;
}

/** Buys two users, and returns to Charter's page after the payment. */
async function pays(id: string) {
  const visit = await signedIn(stage, OLGA, `/org/${id}/plan?try=additionalUser:2`);
  const { page, maySee } = visit;
  maySee(stripe.origin);
  await seen(page, '5 → 7');
  await page.getByRole('button', { name: 'Buy…' }).waitFor();
  await expectStop(visit);
  await pressed(page, page.getByRole('button', { name: 'Buy…' }));
  await page.waitForURL((url) => url.origin === stripe.origin);
  await pressed(page, page.getByRole('link', { name: 'Pay' }));
  await page.waitForURL((url) => url.pathname === `/org/${id}/checkout`);
  await seen(page, 'Paid. The message of the payment provider has not arrived yet.');
  await expectStop(visit);
  const session = new URL(page.url()).searchParams.get('session')!;
  return { visit, page, session, subscription: `sub_of_${session}` };
}

const typesOf = async (page: Page, id: string): Promise<readonly string[]> => {
  const { body } = await call(page, 'GET', `/api/v1/organizations/${id}/events?from=3`);
  return (body.events as { type: string }[]).map(({ type }) => type);
};

describe('Journey 26: the purchase of two users by keyboard', () => {
  it('is granted only once if Stripe sends its message late and then again', async () => {
    const id = await organizationOnTeams(stage.service.charter, olga);
    const { visit, page, subscription } = await pays(id);
    expect(await typesOf(page, id)).toEqual([]);
    expect(await send('evt_late', id, subscription, usersItem(2))).toBe('applied');
    await seen(page, 'Granted');
    await eventNumber(page, 3).waitFor();
    expect(await send('evt_late', id, subscription, usersItem(2))).toBe('repeated');
    expect(await typesOf(page, id)).toEqual(['AddOnPurchased']);
    await expectStop(visit);
    await expectBack(visit);
  });

  it("is not granted if the price in Stripe's message is unknown, and the page shows this reason", async () => {
    const id = await organizationOnTeams(stage.service.charter, olga);
    const { visit, page, subscription } = await pays(id);
    const strange = { ...usersItem(2), product: 'prod_x', price: 'price_x' };
    await send('evt_strange', id, subscription, strange);
    await seen(page, 'Paid, and not granted yet');
    await seen(page, 'The message contains a price that is not in our catalogue.');
    await expectStop(visit);
    expect(await typesOf(page, id)).toEqual([]);
    await expectBack(visit);
  });

  it('is shown as late after 15 minutes without a message of Stripe, and as granted when the message arrives, both without a reload', async () => {
    const id = await organizationOnTeams(stage.service.charter, olga);
    const { visit, page, session, subscription } = await pays(id);
    await page.evaluate('window.isSamePage = true');
    stripe.checkouts.started.get(session)!.session.created -= 16 * 60;
    await seen(page, 'Paid. The message of the payment provider is late.');
    await seen(page, /^Do not pay again\./);
    expect(await typesOf(page, id)).toEqual([]);
    await expectStop(visit);
    expect(await send('evt_very_late', id, subscription, usersItem(2))).toBe('applied');
    await seen(page, 'Granted');
    await eventNumber(page, 3).waitFor();
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    expect(await typesOf(page, id)).toEqual(['AddOnPurchased']);
    await expectStop(visit);
  });

  it('records nothing if the person comes back without a payment', async () => {
    const id = await organizationOnTeams(stage.service.charter, olga);
    const visit = await signedIn(stage, OLGA, `/org/${id}/plan?try=additionalUser:2`);
    const { page, maySee } = visit;
    maySee(stripe.origin);
    await page.getByRole('button', { name: 'Buy…' }).waitFor();
    await expectStop(visit);
    await pressed(page, page.getByRole('button', { name: 'Buy…' }));
    await page.waitForURL((url) => url.origin === stripe.origin);
    await pressed(page, page.getByRole('link', { name: 'Back' }));
    await seen(page, 'You came back without a payment. Nothing was bought.');
    await expectStop(visit);
    expect(await typesOf(page, id)).toEqual([]);
    await expectBack(visit);
  });
});
