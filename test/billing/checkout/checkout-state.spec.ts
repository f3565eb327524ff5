import { eventsOf } from '../../support/serving';
import { signedIn } from '../../support/sign-in/people';
import { stripeSends } from '../sending';
import { message, part, type SubscriptionFields } from '../stripe/stripe-messages';
import {
  billingServiceForSpecs,
  organizationWithBuyer,
  type OrganizationWithBuyer,
  solo,
  soloItem,
  users,
  usersItem,
} from './checkout-service';

const service = billingServiceForSpecs();

const sales = async ({ id }: OrganizationWithBuyer) =>
  (await eventsOf(service.served, `organization-${id}`)).filter(({ type }) => /^(Plan|AddOn)/.test(type));

/**
 * Starts a checkout for the plan Solo and two additional users, in a new organization. The message of the provider
 * about the paid subscription then records the events #2 and #3.
 */
async function checkout() {
  const there = await organizationWithBuyer(service);
  const session = (await there.buy(solo, users(2))).body.id as string;
  const read = async () => {
    const { state, granted, message } = (await there.read(session)).body as {
      state: string;
      granted: { revision: number } | null;
      message: { id: string; reason: string | null } | null;
    };
    return [state, granted?.revision ?? null, message?.reason ?? null];
  };
  return { there, session, read };
}

describe('The state of a checkout', () => {
  it("is open before the payment, paid until the provider's message arrives, and granted after the message's last event", async () => {
    const { there, session, read } = await checkout();
    expect(await read()).toEqual(['open', null, null]);
    const { created } = there.pay(session);
    expect(await read()).toEqual(['paid', null, null]);
    expect(await sales(there)).toEqual([]);
    await created([soloItem, usersItem(2)]);
    expect(await read()).toEqual(['granted', 3, null]);
    expect((await there.document()).addOns).toMatchObject([{ addOn: 'additionalUser', quantity: 2 }]);
  });

  it('stays granted if the provider sends the message a second time, which records no event', async () => {
    const { there, session, read } = await checkout();
    const { created } = there.pay(session);
    for (const outcome of ['applied', 'repeated'])
      expect((await created([soloItem, usersItem(2)], `evt_twice_${session}`)).body.outcome).toBe(outcome);
    expect(await read()).toEqual(['granted', 3, null]);
    expect(await sales(there)).toHaveLength(2);
  });

  it('stays granted at the same revision after a renewal, and after one item has left the subscription', async () => {
    const { there, session, read } = await checkout();
    const { created, updated } = there.pay(session);
    await created([soloItem, usersItem(2)]);
    await updated([soloItem, usersItem(2)]);
    expect(await read()).toEqual(['granted', 3, null]);
    await updated([soloItem]);
    expect(await read()).toEqual(['granted', 3, null]);
  });

  it('is waiting, with the reason, if the message contains an unknown price, even if Charter has granted the other items', async () => {
    const { there, session, read } = await checkout();
    const strange = { id: 'si_users', product: 'prod_x', price: 'price_x', quantity: 2 };
    const { created } = there.pay(session);
    await created([strange]);
    expect(await read()).toEqual(['waiting', null, 'unknown-price']);
    expect(await sales(there)).toEqual([]);
    const { updated } = there.pay(session);
    await updated([soloItem, strange]);
    expect(await read()).toEqual(['waiting', 2, 'unknown-price']);
  });

  it('is waiting if the message shows only some items and the provider does not answer, even if Charter has granted these items', async () => {
    const { there, session, read } = await checkout();
    const { subscription } = there.pay(session);
    const fields = { id: subscription, status: 'active', items: [soloItem], organization: there.id } as const;
    service.stripe.away(true);
    await stripeSends(service.served, part(message(`evt_part_${session}`, 'created', fields, 0)));
    service.stripe.away(false);
    expect(await read()).toEqual(['waiting', 2, null]);
  });

  it('is granted after a later message of the provider contains only known prices', async () => {
    const { there, session, read } = await checkout();
    const { created, updated } = there.pay(session);
    await created([{ id: 'si_users', product: 'prod_x', price: 'price_x', quantity: 2 }]);
    await updated([soloItem, usersItem(2)]);
    expect(await read()).toEqual(['granted', 3, null]);
  });

  it("is waiting, with the reason `dismissed`, after an operator has dismissed the message; the operator's text stays hidden", async () => {
    const { there, session, read } = await checkout();
    await there.pay(session).created([{ id: 'si_x', product: 'prod_x', price: 'price_x' }], `evt_x_${session}`);
    const named = { provider: 'stripe', id: `evt_x_${session}` };
    await service.served.runtime.billing.dismiss(named, 'Ada asked for it', () => Promise.resolve());
    expect(await read()).toEqual(['waiting', null, 'dismissed']);
    expect((await there.read(session)).text).not.toContain('Ada');
  });

  it('stays paid if a message about another subscription arrives, or if an API key names the paid subscription in a command', async () => {
    const [{ there, session, read }, other] = [await checkout(), await checkout()];
    const { subscription } = there.pay(session);
    await other.there.pay(other.session).created([soloItem, usersItem(2)]);
    const { status } = await service.served.ask('POST', `/api/v1/organizations/${there.id}/commands`, {
      ...{ key: there.key, body: { commands: [{ ...solo, data: { ...solo.data, subscription } }, users(2)] } },
    });
    expect([status, ...(await read())]).toEqual([200, 'paid', null, null]);
  });

  it('is expired after the provider has closed the session without a payment', async () => {
    const { session, read } = await checkout();
    service.stripe.checkouts.expire(session);
    expect(await read()).toEqual(['expired', null, null]);
  });

  it('stays paid and is shown as late while no message arrives; Charter logs this once, and a late message changes it to granted', async () => {
    const { served } = service;
    const { there, session, read } = await checkout();
    const { subscription, created } = there.pay(session);
    const warnings = () => served.entries().filter(({ msg }) => /no message about its subscription/.test(String(msg)));
    const late = async () => (await there.read(session)).body.late;
    expect([await read(), await late(), warnings()]).toEqual([['paid', null, null], false, []]);
    served.clock.advance(16 * 60_000);
    expect([await read(), await read()]).toEqual([1, 2].map(() => ['paid', null, null]));
    expect(await late()).toBe(true);
    expect(warnings()).toMatchObject([{ level: 40, organization: there.id, subscription }]);
    served.clock.advance(2 * 24 * 60 * 60_000);
    const later = await there.read(session, await signedIn(served, there.account));
    expect([later.body.state, later.body.granted, warnings().length]).toEqual(['paid', null, 1]);
    expect([await sales(there), (await there.document()).plans.second]).toEqual([[], null]);
    served.clock.advance(-16 * 60_000 - 2 * 24 * 60 * 60_000); // the provider signs the message with the real time
    await created([soloItem, usersItem(2)]);
    expect([await read(), await late()]).toEqual([['granted', 3, null], false]);
  });

  it('is expired after a delayed payment has failed, so that the provider ended the subscription', async () => {
    const { there, session, read } = await checkout();
    const { subscription } = there.pay(session);
    Object.assign(service.stripe.checkouts.started.get(session)!.session, { payment_status: 'unpaid' });
    const fields = { id: subscription, items: [soloItem, usersItem(2)], organization: there.id };
    const send = (event: string, status: SubscriptionFields['status'], after: number) =>
      stripeSends(service.served, message(`${event}_${session}`, 'updated', { ...fields, status }, after));
    expect((await send('evt_first', 'incomplete', 0)).body.outcome).toBe('ignored');
    expect(await read()).toEqual(['open', null, null]);
    expect((await send('evt_over', 'incomplete_expired', 60)).body.outcome).toBe('applied');
    expect(await read()).toEqual(['expired', null, null]);
  });

  it('is open while the provider has not received the payment', async () => {
    const { there, session, read } = await checkout();
    there.pay(session);
    Object.assign(service.stripe.checkouts.started.get(session)!.session, { payment_status: 'unpaid' });
    expect(await read()).toEqual(['open', null, null]);
  });
});
