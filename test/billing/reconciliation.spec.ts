import { randomUUID } from 'node:crypto';
import { done, path } from '../support/requests/organizations';
import type { Served } from '../support/serving';
import { type Customer, customer, selling, solo, stripeSends, teams, users } from './sending';
import { person, signedIn } from '../support/sign-in/people';
import { begun, message } from './stripe/stripe-messages';

let served: Served;
beforeAll(async () => {
  served = await selling();
});
afterAll(() => served.close());

const time = (after: number) => new Date((begun + after) * 1_000).toISOString();

describe('Reconciliation of paid and granted items', () => {
  const reconciliation = async (there: Customer, query = '') =>
    (await served.ask('GET', path(there.organization, `/billing/reconciliation${query}`), { key: there.key })).body;

  it('compares the items at the present or an earlier moment, and lists an item that a person granted as not paid', async () => {
    const there = await customer(served);
    await stripeSends(served, there.created(undefined, 0, [solo]));
    await stripeSends(served, there.updated(undefined, 600, 'active', [teams, users(3)]));
    expect(await reconciliation(there)).toMatchObject({
      organization: there.organization,
      revision: 3,
      paidAndNotGranted: [],
      grantedAndNotPaid: [],
    });

    await done(
      served,
      there.key,
      there.organization,
      ['POST', '/add-ons', { addOn: 'feedback', purchase: 'gift' }],
      ['DELETE', '/plan/second'],
    );
    const now = await reconciliation(there);
    expect(now.grantedAndNotPaid).toMatchObject([{ by: 'hand', purchase: 'gift', addOn: 'feedback' }]);
    expect(now.paidAndNotGranted).toMatchObject([{ kind: 'plan', plan: 'teams', reason: 'changed-by-hand' }]);
    expect(await reconciliation(there, `?at=${time(300)}`)).toMatchObject({
      at: time(300),
      paidAndNotGranted: [],
      grantedAndNotPaid: [],
    });
    expect(await reconciliation(there, '?at=1999-01-01T00:00:00Z')).toMatchObject({
      paidAndNotGranted: [],
      grantedAndNotPaid: [],
    });
    expect(
      (await served.ask('GET', path(there.organization, '/billing/reconciliation?at=never'), { key: there.key }))
        .status,
    ).toBe(400);
    expect((await served.ask('GET', path(randomUUID(), '/billing/reconciliation'), { key: there.key })).status).toBe(
      404,
    );
  });

  it('lists a quarantined item as paid and not granted', async () => {
    const there = await customer(served);
    const strange = { id: 'si_strange', product: 'prod_Unknown', price: 'price_Unknown' };
    await stripeSends(served, there.created(undefined, 0, [teams, strange]));
    expect((await reconciliation(there)).paidAndNotGranted).toMatchObject([
      { kind: 'unknown', price: 'price_Unknown', reason: 'unknown-price' },
    ]);
  });

  it('is shown to owners and administrators of the organization, without items of other organizations or texts of messages', async () => {
    const [there, other] = [await customer(served), await customer(served)];
    const account = await person(served);
    await done(served, there.key, there.organization, ['POST', '/members', { user: account.id, role: 'owner' }]);
    const by = await signedIn(served, account);
    await stripeSends(served, there.created(undefined, 0, [solo]));
    const moved = { ...there.fields('active', teams, users(3)), organization: other.organization };
    await stripeSends(served, message(`evt_${randomUUID()}`, 'updated', moved, 600));
    const at = `/billing/reconciliation?at=${time(900)}`;
    const { status, body } = await by.get(path(there.organization, at));
    expect([status, body]).toEqual([200, await reconciliation(there, `?at=${time(900)}`)]);
    expect(JSON.stringify(body)).not.toMatch(/teams|additionalUser|customer/);
    expect((await by.get(path(other.organization, at))).status).toBe(404);
  });
});
