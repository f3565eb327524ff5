import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { done, founded, path } from '../support/requests/organizations';
import { eventsIn, eventsOf, type Served, type Stores, until } from '../support/serving';
import { type Customer, customer, selling, stripeSends, teams } from './sending';
import { message } from './stripe/stripe-messages';
import { tag } from '../support/tags';

let served: Served;
let acme: Customer;
beforeAll(async () => {
  served = await selling();
  acme = await customer(served);
});
afterAll(() => served.close());

const link = (organization: string, body: object, headers: Record<string, string> = {}) =>
  served.ask('PUT', path(organization, '/billing-account'), { key: acme.key, body, headers });

describe('Billing account of an organization', () => {
  it('links one customer, which no other organization can link', async () => {
    const account = { provider: 'stripe', customer: `cus_${randomUUID()}` };
    const first = await link(acme.organization, account);
    expect([first.status, first.body.events.length, first.headers.etag]).toEqual([200, 1, tag(1)]);
    expect((await link(acme.organization, account)).body).toEqual({ revision: 1, events: [] });
    const other = await founded(served);
    const before = await eventsIn(served);
    const taken = await link(other, account);
    expect([taken.status, taken.body.type]).toEqual([409, '/problems/customer-taken']);
    expect(await eventsIn(served)).toBe(before);
  });

  it('links the customer to only one of eight organizations that claim this customer at the same time', async () => {
    const account = { provider: 'stripe', customer: `cus_${randomUUID()}` };
    const organizations = await Promise.all(Array.from({ length: 8 }, () => founded(served)));
    const answers = await Promise.all(organizations.map((id) => link(id, account)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 409),
    ]);
  });

  it('does not claim the customer if the request is refused because of a wrong revision or a closed organization', async () => {
    const account = { provider: 'stripe', customer: `cus_${randomUUID()}` };
    const [moved, closed, other] = [await founded(served), await founded(served), await founded(served)];
    await done(served, acme.key, closed, ['POST', '/close', { reason: 'over' }]);
    expect((await link(moved, account, { 'If-Match': '"7"' })).status).toBe(412);
    expect((await link(closed, account)).body.type).toBe('/problems/organization-closed');
    expect((await link(other, account)).status).toBe(200);
  });

  it('frees the former customer when another one is linked; messages about the former customer then wait for a new link', async () => {
    const [former, next] = [`cus_${randomUUID()}`, `cus_${randomUUID()}`];
    const [there, other] = [await customer(served), await customer(served)];
    for (const one of [former, next, next]) await link(there.organization, { provider: 'stripe', customer: one });
    const unlinked = { ...there.fields('active', teams), organization: undefined, customer: former };
    const sent = await stripeSends(served, message(`evt_${randomUUID()}`, 'created', unlinked, 1));
    expect(sent.body.outcome).toBe('quarantined');
    expect((await link(other.organization, { provider: 'stripe', customer: next })).status).toBe(409);
    expect((await link(other.organization, { provider: 'stripe', customer: former })).status).toBe(200);
    await served.runtime.backgroundWork.settled();
    expect([(await there.sold()).length, (await other.sold()).length]).toEqual([0, 1]);
  });

  it('frees the former customer of a provider although a customer of another provider was linked in between', async () => {
    const [former, next] = [`cus_${randomUUID()}`, `cus_${randomUUID()}`];
    const [there, other] = [await founded(served), await founded(served)];
    const elsewhere = { provider: 'paddle', customer: `ctm_${randomUUID()}` };
    for (const account of [{ provider: 'stripe', customer: former }, elsewhere, { provider: 'stripe', customer: next }])
      expect((await link(there, account)).status).toBe(200);
    expect(await served.charter.database.customers.of(there)).toEqual([
      elsewhere,
      { provider: 'stripe', customer: next },
    ]);
    expect((await link(other, elsewhere)).status).toBe(409);
    expect((await link(other, { provider: 'stripe', customer: former })).status).toBe(200);
  });

  it('keeps exactly the customer that its history names last, if requests link several customers at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const there = await founded(served);
      const names = Array.from({ length: 4 }, () => `cus_${randomUUID()}`);
      await link(there, { provider: 'stripe', customer: names[0]! });
      await Promise.all(names.map((name) => link(there, { provider: 'stripe', customer: name })));
      const { data } = (await eventsOf(served, `organization-${there}`)).at(-1)!;
      expect(await served.charter.database.customers.of(there)).toEqual([data]);
    }
  });

  it('keeps its customer after the tables were lost: no other organization can link this customer', async () => {
    const own = await selling();
    const there = await customer(own);
    const linkAs = (to: Served, organization: string, name: string, key: string) =>
      to.ask('PUT', path(organization, '/billing-account'), { key, body: { provider: 'stripe', customer: name } });
    for (const name of ['cus_former', 'cus_own']) await linkAs(own, there.organization, name, there.key);
    await own.stop();
    for (const end of ['', '-wal', '-shm']) rmSync(join(own.folder, `documents.db${end}`), { force: true });

    const again = await selling({ folder: own.folder });
    const key = await again.key();
    const other = await founded(again, { by: key });
    expect((await linkAs(again, other, 'cus_own', key)).body.type).toBe('/problems/customer-taken');
    expect((await linkAs(again, other, 'cus_former', key)).status).toBe(200);
    expect(await again.charter.database.customers.of(there.organization)).toEqual([
      { provider: 'stripe', customer: 'cus_own' },
    ]);
    await again.close();
  });

  it('keeps its customer although the tables were unavailable when the process started', async () => {
    const own = await selling();
    const there = await founded(own);
    const account = { provider: 'stripe', customer: 'cus_late' };
    await own.ask('PUT', path(there, '/billing-account'), { key: await own.key(), body: account });
    await own.charter.database.customers.takeBack('stripe', 'cus_late', there);
    await own.charter.database.marks.set('customers-follow', '');
    await own.stop();

    let failures = 0;
    const between = ({ database, ...stores }: Stores): Stores => {
      const get = (name: string) => {
        if (name !== 'customers-follow' || failures > 0) return database.marks.get(name);
        failures += 1;
        return Promise.reject(new Error('the tables are away'));
      };
      return { ...stores, database: { ...database, marks: { ...database.marks, get } } };
    };
    const again = await selling({ folder: own.folder, between });
    await until(async () => (await again.charter.database.customers.of(there)).length > 0);
    expect([failures, await again.charter.database.customers.of(there)]).toEqual([1, [account]]);
    await again.close();
  });

  it('cannot be changed with the route for commands, or by a caller without permission', async () => {
    const command = { type: 'LinkBillingAccount', data: { provider: 'stripe', customer: 'cus_x' } };
    const body = { commands: [command] };
    expect((await served.ask('POST', path(acme.organization, '/commands'), { key: acme.key, body })).status).toBe(400);
    const bound = await served.key({ scopes: ['billing:write'], organization: await founded(served) });
    const refused = await served.ask('PUT', path(acme.organization, '/billing-account'), {
      key: bound,
      body: command.data,
    });
    expect(refused.status).toBe(404);
    expect(await served.charter.database.customers.organizationOf('stripe', 'cus_x')).toBeUndefined();
  });
});
