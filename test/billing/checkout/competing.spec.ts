import { randomUUID } from 'node:crypto';
import {
  billingServiceForSpecs,
  organizationWithBuyer,
  type OrganizationWithBuyer,
  solo,
  soloItem,
  users,
  usersItem,
  type WantedCommand,
} from './checkout-service';

const service = billingServiceForSpecs();
afterEach(() => service.stripe.checkouts.beforeExpiry(() => undefined));

const teams: WantedCommand = { type: 'AssignPlan', data: { line: 'second', plan: 'teams' } };
const essential: WantedCommand = { type: 'AssignPlan', data: { line: 'first', plan: 'essential' } };
/** Starts a checkout, and returns the id of its session. */
const opened = async (there: OrganizationWithBuyer, ...commands: readonly WantedCommand[]) => {
  const { status, body } = await there.buy(...commands);
  expect(status).toBe(201);
  return body.id as string;
};
const refused = async (there: OrganizationWithBuyer, ...commands: readonly WantedCommand[]) => {
  const { status, body } = await there.buy(...commands);
  return [status, body.type, body.items] as const;
};
const paidAlready = (...indexes: readonly number[]) => [
  ...[409, '/problems/not-sold-online'],
  indexes.map((index) => ({ index, why: 'paid-already' })),
];
/** The states of all checkout sessions of an organization, as the provider stores them, oldest first. */
const statesOf = ({ id }: OrganizationWithBuyer) =>
  [...service.stripe.checkouts.started.values()]
    .filter(({ session }) => session.metadata['organization'] === id)
    .map(({ session }) => session.status);
const reconciliation = async ({ id, key }: OrganizationWithBuyer) =>
  (await service.served.ask('GET', `/api/v1/organizations/${id}/billing/reconciliation`, { key })).body;

describe('A second checkout of an organization', () => {
  it('ends each earlier open checkout for the same plan line or add-on, so that a person can pay only the last one', async () => {
    const there = await organizationWithBuyer(service);
    const first = await opened(there, solo, users(1));
    const second = await opened(there, teams);
    expect(await there.stateOf(first)).toBe('expired');
    const third = await opened(there, users(2), solo);
    expect([await there.stateOf(second), await there.stateOf(third)]).toEqual(['expired', 'open']);
    expect(statesOf(there)).toEqual(['expired', 'expired', 'open']);
  });

  it('does not end a checkout for another plan line or add-on, or a checkout of another organization', async () => {
    const [there, other] = [await organizationWithBuyer(service), await organizationWithBuyer(service)];
    const sessions = [await opened(there, solo), await opened(there, users(1)), await opened(there, essential)];
    const foreign = await opened(other, solo);
    expect(await Promise.all(sessions.map((id) => there.stateOf(id)))).toEqual(['open', 'open', 'open']);
    expect(await other.stateOf(foreign)).toBe('open');
  });

  it('leaves at most one checkout open if two begin at the same time', async () => {
    const there = await organizationWithBuyer(service);
    const answers = await Promise.all([there.buy(solo), there.buy(teams)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(statesOf(there).filter((status) => status === 'open').length).toBeLessThanOrEqual(1);
  });

  it('does not start if a request is repeated: the answer contains the first checkout, which stays open', async () => {
    const there = await organizationWithBuyer(service);
    const once = randomUUID();
    const { shown } = (await there.preview([solo], once)).body as { shown: string };
    const answers = [await there.start([solo], shown, once), await there.start([solo], shown, once)];
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(statesOf(there)).toEqual(['open']);
  });

  it('is refused after the payment of the first checkout, before and after Charter grants the paid items', async () => {
    const there = await organizationWithBuyer(service);
    const first = await opened(there, solo, users(2));
    const { created } = there.pay(first);
    expect(await refused(there, essential, users(1))).toEqual(paidAlready(1));
    expect(await refused(there, teams)).toEqual(paidAlready(0));
    expect(statesOf(there)).toEqual(['complete', 'expired', 'expired']);
    expect(await there.stateOf(first)).toBe('paid');
    expect((await created([soloItem, usersItem(2)])).body.outcome).toBe('applied');
    expect(await there.stateOf(first)).toBe('granted');
    expect(await refused(there, teams)).toEqual(paidAlready(0));
  });

  it('is refused if the first checkout began 95 hours ago: a person can pay within 24 hours, and Stripe sends the message for 72 hours', async () => {
    const there = await organizationWithBuyer(service);
    const first = await opened(there, solo);
    there.pay(first);
    const HOURS = 60 * 60;
    const { session } = service.stripe.checkouts.started.get(first)!;
    session.created -= 95 * HOURS;
    expect(await refused(there, teams)).toEqual(paidAlready(0));
    session.created -= 2 * HOURS;
    expect((await there.buy(teams)).status).toBe(201);
  });

  it('is refused if a person pays the first checkout just before Charter ends it; the payment is not lost', async () => {
    const there = await organizationWithBuyer(service);
    const first = await opened(there, solo);
    let subscription = '';
    service.stripe.checkouts.beforeExpiry((id) => {
      if (id === first) subscription = service.stripe.checkouts.pay(id);
    });
    expect(await refused(there, teams)).toEqual(paidAlready(0));
    expect(statesOf(there)).toEqual(['complete', 'expired']);
    expect([await there.stateOf(first), subscription]).toEqual(['paid', `sub_of_${first}`]);
    const strange = { id: 'si_x', product: 'prod_x', price: 'price_x' };
    const paid = { ...there.pay(first) };
    expect((await paid.created([strange])).body.outcome).toBe('quarantined');
    expect(await there.stateOf(first)).toBe('waiting');
    expect(JSON.stringify(await reconciliation(there))).toContain(subscription);
    await paid.updated([soloItem]);
    expect([await there.stateOf(first), (await there.document()).plans.second.plan]).toEqual(['granted', 'solo']);
  });

  it('can sell an add-on again after the add-on has left the subscription of the first checkout', async () => {
    const there = await organizationWithBuyer(service);
    const first = await opened(there, users(1), solo);
    const { created, updated } = there.pay(first);
    await created([soloItem, usersItem(1)]);
    await updated([soloItem]);
    await opened(there, users(3));
  });

  it('is refused with 503 if the provider ends the first checkout but does not answer; the repeated request succeeds', async () => {
    const there = await organizationWithBuyer(service);
    const first = await opened(there, solo);
    const once = randomUUID();
    const { shown } = (await there.preview([teams], once)).body as { shown: string };
    // the provider ends the session, but sends no answer
    service.stripe.checkouts.beforeExpiry(() => service.stripe.lossy(true));
    expect((await there.start([teams], shown, once)).status).toBe(503);
    service.stripe.lossy(false);
    service.stripe.checkouts.beforeExpiry(() => undefined);
    const { status, body } = await there.start([teams], shown, once);
    expect([status, await there.stateOf(first), await there.stateOf(body.id as string)]).toEqual([
      201,
      'expired',
      'open',
    ]);
  });
});
