import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { done, founded, path } from '../support/organizations';
import { eventsIn, type Served } from '../support/serving';
import { cloudEvent, type Customer, customer, selling, shopSends, solo, stripeSends, teams, users } from './sending';
import { begun, message } from './stripe-messages';

let served: Served;
let acme: Customer;
beforeAll(async () => {
  served = await selling();
  acme = await customer(served);
});
afterAll(() => served.close());

const time = (after: number) => new Date((begun + after) * 1_000).toISOString();
const link = (organization: string, body: object, headers: Record<string, string> = {}) =>
  served.ask('PUT', path(organization, '/billing-account'), { key: acme.key, body, headers });
const outcomes = ({ body }: { body: { results: { outcome: string }[] } }) => body.results.map(({ outcome }) => outcome);

describe('the billing account of an organization', () => {
  it('is one customer of one organization', async () => {
    const account = { provider: 'stripe', customer: `cus_${randomUUID()}` };
    const first = await link(acme.organization, account);
    expect([first.status, first.body.events.length, first.headers.etag]).toEqual([200, 1, '"1"']);
    expect((await link(acme.organization, account)).body).toEqual({ revision: 1, events: [] });
    const other = await founded(served);
    const before = await eventsIn(served);
    const taken = await link(other, account);
    expect([taken.status, taken.body.type]).toEqual([409, '/problems/customer-taken']);
    expect(await eventsIn(served)).toBe(before);
  });

  it('is claimed by one of many who ask at once', async () => {
    const account = { provider: 'stripe', customer: `cus_${randomUUID()}` };
    const organizations = await Promise.all(Array.from({ length: 8 }, () => founded(served)));
    const answers = await Promise.all(organizations.map((id) => link(id, account)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 409),
    ]);
  });

  it('is given back when the organization has moved on, or is closed', async () => {
    const account = { provider: 'stripe', customer: `cus_${randomUUID()}` };
    const [moved, closed, other] = [await founded(served), await founded(served), await founded(served)];
    await done(served, acme.key, closed, ['POST', '/close', { reason: 'over' }]);
    expect((await link(moved, account, { 'If-Match': '"7"' })).status).toBe(412);
    expect((await link(closed, account)).body.type).toBe('/problems/organization-closed');
    expect((await link(other, account)).status).toBe(200);
  });

  it('leaves its former customer free, whose messages then wait for whoever links it', async () => {
    const [former, next] = [`cus_${randomUUID()}`, `cus_${randomUUID()}`];
    const [there, other] = [await customer(served), await customer(served)];
    for (const one of [former, next, next]) await link(there.organization, { provider: 'stripe', customer: one });
    const nobodys = { ...there.life('active', teams), organization: undefined, customer: former };
    const sent = await stripeSends(served, message(`evt_${randomUUID()}`, 'created', nobodys, 1));
    expect(sent.body.outcome).toBe('quarantined');
    expect((await link(other.organization, { provider: 'stripe', customer: next })).status).toBe(409);
    expect((await link(other.organization, { provider: 'stripe', customer: former })).status).toBe(200);
    await served.runtime.afterwards.settled();
    expect([(await there.sold()).length, (await other.sold()).length]).toEqual([0, 1]);
  });

  it('is claimed again after older tables came back, before anybody else can', async () => {
    const own = await selling();
    const there = await customer(own);
    const asking = (to: Served, organization: string, name: string, key: string) =>
      to.ask('PUT', path(organization, '/billing-account'), { key, body: { provider: 'stripe', customer: name } });
    for (const name of ['cus_former', 'cus_own']) await asking(own, there.organization, name, there.key);
    await own.stop();
    for (const end of ['', '-wal', '-shm']) rmSync(join(own.folder, `documents.db${end}`), { force: true });

    const again = await selling({ folder: own.folder });
    const key = await again.key();
    const other = await founded(again, { by: key });
    expect((await asking(again, other, 'cus_own', key)).body.type).toBe('/problems/customer-taken');
    expect((await asking(again, other, 'cus_former', key)).status).toBe(200);
    expect(await again.charter.documents.customers.of(there.organization)).toEqual([
      { provider: 'stripe', customer: 'cus_own' },
    ]);
    await again.close();
  });

  it('cannot be changed with other commands, nor by whoever may not', async () => {
    const command = { type: 'LinkBillingAccount', data: { provider: 'stripe', customer: 'cus_x' } };
    const body = { commands: [command] };
    expect((await served.ask('POST', path(acme.organization, '/commands'), { key: acme.key, body })).status).toBe(400);
    const bound = await served.key({ scopes: ['billing:write'], organization: await founded(served) });
    const refused = await served.ask('PUT', path(acme.organization, '/billing-account'), {
      key: bound,
      body: command.data,
    });
    expect(refused.status).toBe(404);
    expect(await served.charter.documents.customers.organizationOf('stripe', 'cus_x')).toBeUndefined();
  });
});

describe('events of sales', () => {
  it('come one, or in a batch, in three kinds of bodies', async () => {
    const there = await customer(served);
    const sale = (id: string) =>
      there.sale(`${there.organization}/${id}`, 'add-on.purchased', time(1), {
        purchase: id,
        addOn: 'additionalUser',
        quantity: 1,
      });
    const send = (type: string, body: object) =>
      served.ask('POST', '/api/v1/billing/events', { key: there.key, body, headers: { 'Content-Type': type } });
    expect(outcomes(await send('application/cloudevents+json; charset=utf-8', cloudEvent(sale('a'))))).toEqual([
      'applied',
    ]);
    expect(
      outcomes(
        await send(
          'application/cloudevents-batch+json',
          ['a', 'b'].map((id) => cloudEvent(sale(id))),
        ),
      ),
    ).toEqual(['repeated', 'applied']);
    expect(
      outcomes(
        await send(
          'application/json',
          ['c'].map((id) => cloudEvent(sale(id))),
        ),
      ),
    ).toEqual(['applied']);
    expect((await send('text/plain', cloudEvent(sale('d')))).status).toBe(415);
    expect(
      (
        await served.ask('POST', '/api/v1/organizations', {
          key: there.key,
          body: { name: 'x' },
          headers: { 'Content-Type': 'application/cloudevents+json' },
        })
      ).status,
    ).toBe(415);
    expect((await there.document()).addOns).toHaveLength(3);
  });

  it('are checked whole before anything of them is stored', async () => {
    const there = await customer(served);
    const good = cloudEvent(there.sale(`${there.organization}/1`, 'plan.ended', time(1), { line: 'first' }));
    const bad: readonly (readonly [string, object])[] = [
      ['1.data.line', { ...good, data: { line: 'third' } }],
      ['1.time', { ...good, time: 'yesterday' }],
      ['1.subject', { ...good, subject: 'acme' }],
      ['1.id', { ...good, id: '' }],
      ['1.specversion', { ...good, specversion: '0.3' }],
      ['1.data.extra', { ...good, data: { line: 'first', extra: 1 } }],
      ['1.data', { ...good, data: undefined }],
    ];
    for (const [field, event] of bad) {
      const { status, body } = await served.ask('POST', '/api/v1/billing/events', {
        key: there.key,
        body: [good, event],
      });
      expect([field, status, body.errors?.[0]?.path]).toEqual([field, 400, field]);
    }
    expect(await there.sold()).toEqual([]);
    const kept = { provider: 'cloudevents:https://shop.example.com', id: good.id };
    expect(await served.charter.documents.inbox.find(kept)).toBeUndefined();
  });

  it('of a type that is not used are ignored, and too far ahead they wait', async () => {
    const there = await customer(served);
    const far = new Date(served.clock.now() + 3_600_000).toISOString();
    const answer = await shopSends(served, there.key, [
      { ...there.sale(randomUUID(), 'plan.assigned', time(1), {}), type: 'com.example.else' },
      there.sale(randomUUID(), 'plan.ended', far, { line: 'first' }),
    ]);
    expect(answer.body.results).toMatchObject([
      { outcome: 'ignored', reason: 'type-not-used' },
      { outcome: 'quarantined', reason: 'not-yet-effective' },
    ]);
  });

  it('of a key that is bound to one organization are about that one, and its ids are nobody else’s', async () => {
    const [here, there] = [await customer(served), await customer(served)];
    const bound = await served.key({ scopes: ['billing:write'], organization: here.organization });
    const data = { line: 'second', plan: 'teams' };
    const foreign = await shopSends(served, bound, there.sale('same', 'plan.assigned', time(1), data));
    expect([foreign.status, foreign.body.type]).toEqual([404, '/problems/no-such-organization']);
    expect(outcomes(await shopSends(served, bound, here.sale('same', 'plan.assigned', time(1), data)))).toEqual([
      'applied',
    ]);
    expect(outcomes(await shopSends(served, acme.key, there.sale('same', 'plan.assigned', time(1), data)))).toEqual([
      'applied',
    ]);
    expect(await there.sold()).toHaveLength(1);
    const reader = await served.key({ scopes: ['organizations:read'] });
    expect((await shopSends(served, reader, here.sale('x', 'plan.assigned', time(1), data))).status).toBe(403);
  });

  it('say in the event who said it, and which message', async () => {
    const there = await customer(served);
    const id = `sale ${randomUUID()}`;
    await shopSends(served, there.key, there.sale(id, 'plan.assigned', time(1), { line: 'second', plan: 'solo' }));
    const [event] = await there.sold();
    expect(event!.metadata).toMatchObject({ actor: { kind: 'billing', id: 'cloudevents' }, causation: id });
    expect(event!.data['effectiveAt']).toBe(time(1));
  });
});

describe('what is paid for and what is granted', () => {
  const reconciliation = async (there: Customer, query = '') =>
    (await served.ask('GET', path(there.organization, `/billing/reconciliation${query}`), { key: there.key })).body;

  it('is compared now and at any moment, and what a person granted is told apart', async () => {
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
    expect(
      (await served.ask('GET', path(there.organization, '/billing/reconciliation?at=never'), { key: there.key }))
        .status,
    ).toBe(400);
    expect((await served.ask('GET', path(randomUUID(), '/billing/reconciliation'), { key: there.key })).status).toBe(
      404,
    );
  });

  it('names what waits in the quarantine as paid for and not granted', async () => {
    const there = await customer(served);
    const strange = { id: 'si_strange', product: 'prod_NobodyKnows', price: 'price_NobodyKnows' };
    await stripeSends(served, there.created(undefined, 0, [teams, strange]));
    expect((await reconciliation(there)).paidAndNotGranted).toMatchObject([
      { kind: 'unknown', price: 'price_NobodyKnows', reason: 'unknown-price' },
    ]);
  });
});
