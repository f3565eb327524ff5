import { randomUUID } from 'node:crypto';
import { organizationStream } from '@charter/organization';
import type { Served } from '../support/serving';
import { cloudEvent, type Customer, customer, selling, shopSends } from './sending';
import { begun } from './stripe/stripe-messages';

let served: Served;
let acme: Customer;
beforeAll(async () => {
  served = await selling();
  acme = await customer(served);
});
afterAll(() => served.close());

const time = (after: number) => new Date((begun + after) * 1_000).toISOString();
const outcomes = ({ body }: { body: { results: { outcome: string }[] } }) => body.results.map(({ outcome }) => outcome);

describe('Events of sales', () => {
  it('can arrive one by one or in a batch, with three content types', async () => {
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

  it('are applied even if the batch has an event of an unreadable organization, which causes the answer 500', async () => {
    const [broken, there] = [await customer(served), await customer(served)];
    const { log } = served.charter;
    const foreign = { id: randomUUID(), type: 'OrganizationMisunderstood', data: {}, metadata: {} };
    await log.append(organizationStream(broken.organization), [foreign], { expected: 0n });
    const plan = { line: 'second', plan: 'teams' };
    const batch = [broken, there].map((of) => of.sale(`${of.organization}/1`, 'plan.assigned', time(1), plan));
    const { status, body } = await shopSends(served, there.key, batch);
    expect([status, body.type]).toEqual([500, '/problems/unreadable-history']);
    expect((await there.document()).plans.second).toMatchObject({ plan: 'teams' });
  });

  it('with the same time are ordered by their ids; an event that repeats the content of an earlier one is recorded, too', async () => {
    const there = await customer(served);
    const sale = (id: string, quantity: number) =>
      there.sale(`${there.organization}/${id}`, 'add-on.purchased', time(1), {
        purchase: 'p',
        addOn: 'additionalUser',
        quantity,
      });
    await shopSends(served, there.key, [sale('a', 1), sale('b', 2), sale('c', 1)]);
    expect((await there.document()).addOns).toMatchObject([{ quantity: 1 }]);
    expect(await there.sold()).toHaveLength(3);
  });

  it('are all validated before any of them is stored', async () => {
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
    const named = { provider: 'cloudevents:https://shop.example.com', id: good.id };
    expect(await served.charter.database.inbox.find(named)).toBeUndefined();
  });

  it('are ignored if their type is unknown, and wait in quarantine if their time is too far in the future', async () => {
    const there = await customer(served);
    const far = new Date(served.clock.now() + 3_600_000).toISOString();
    const answer = await shopSends(served, there.key, [
      { ...there.sale(randomUUID(), 'plan.assigned', time(1), {}), type: 'com.example.else' },
      there.sale(randomUUID(), 'plan.ended', far, { line: 'first' }),
    ]);
    expect(answer.body.results).toMatchObject([
      { outcome: 'ignored', reason: 'type-not-used', detail: expect.stringMatching(/\.$/) },
      { outcome: 'quarantined', reason: 'not-yet-effective', detail: expect.stringMatching(/\.$/) },
    ]);
  });

  it("that come with an organization's API key must be about this organization; events about other organizations may have the same ids", async () => {
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

  it('of an unbound key never repeat events of a bound key, even with a similar source', async () => {
    const there = await customer(served);
    const bound = await served.key({ scopes: ['billing:write'], organization: there.organization });
    const source = 'https://shop.example.com';
    const sources = [source, `${source}#${there.organization}`, `${source}#${there.organization}#`];
    const sale = { ...there.sale(randomUUID(), 'plan.assigned', time(1), { line: 'second', plan: 'teams' }), source };
    const answers = [await shopSends(served, bound, sale)];
    for (const other of sources) answers.push(await shopSends(served, there.key, { ...sale, source: other }));
    expect(answers.flatMap(outcomes)).toEqual(['applied', 'applied', 'applied', 'applied']);
  });

  it("lead to a recorded event that names the sender and the id of the sale's event", async () => {
    const there = await customer(served);
    const id = `sale ${randomUUID()}`;
    await shopSends(served, there.key, there.sale(id, 'plan.assigned', time(1), { line: 'second', plan: 'solo' }));
    const [event] = await there.sold();
    expect(event!.metadata).toMatchObject({ actor: { kind: 'billing', id: 'cloudevents' }, causation: id });
    expect(event!.data['effectiveAt']).toBe(time(1));
  });
});
