import { randomUUID } from 'node:crypto';
import { LogError } from '@charter/event-log';
import { path } from '../support/requests/organizations';
import { person, signedIn } from '../support/sign-in/people';
import { type Served, type Stores, until } from '../support/serving';
import { type Customer, customer, selling, shopSends, solo, stripeSends, teams, users } from './sending';
import { begun } from './stripe/stripe-messages';

const DAY_MS = 86_400_000;
const time = (after: number) => new Date((begun + after) * 1_000).toISOString();

/** The two ways to send a message. Each function resolves with the HTTP status and the outcome of the message. */
type Sender = (served: Served, acme: Customer, id: string) => Promise<Readonly<{ status: number; outcome: string }>>;
const senders: Readonly<Record<string, Sender>> = {
  'from Stripe': async (served, acme, id) => {
    const { status, body } = await stripeSends(served, acme.created(id), {
      at: Math.floor(served.clock.now() / 1_000),
    });
    return { status, outcome: body.outcome as string };
  },
  'as CloudEvents': async (served, acme, id) => {
    const data = { line: 'second', plan: 'teams', subscription: acme.subscription };
    const { status, body } = await shopSends(served, acme.key, acme.sale(id, 'plan.assigned', time(0), data));
    return { status, outcome: body.results?.[0]?.outcome as string };
  },
};

describe.each(Object.entries(senders))('Message %s', (_way, send) => {
  it('K5: is applied once, although it arrives 50 times at once, again after a restart, and again after three days', async () => {
    const first = await selling();
    const acme = await customer(first);
    const id = `evt_${randomUUID()}`;
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(first, acme, id)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(answers.filter(({ outcome }) => outcome === 'applied')).toHaveLength(1);
    expect(answers.filter(({ outcome }) => outcome === 'repeated')).toHaveLength(49);
    await first.stop();

    const again = await selling({ folder: first.folder });
    expect(await send(again, acme, id)).toEqual({ status: 200, outcome: 'repeated' });
    again.clock.advance(3 * DAY_MS);
    expect(await send(again, acme, id)).toEqual({ status: 200, outcome: 'repeated' });
    const { body } = await again.ask('GET', path(acme.organization), { key: acme.key });
    expect(body.plans.second).toMatchObject({ plan: 'teams', effectiveAt: time(0) });
    const events = await again.charter.organizations.query(
      `organization-${acme.organization}`,
      ({ revision }) => revision,
    );
    expect(events).toBe(1); // the message causes one event after the founding
    await again.close();
  });

  it.each([
    ['the event log', (stores: Stores, away: () => boolean): Stores => ({ ...stores, log: failing(stores.log, away) })],
    [
      'the inbox',
      (stores: Stores, away: () => boolean): Stores => ({
        ...stores,
        database: { ...stores.database, inbox: failing(stores.database.inbox, away) },
      }),
    ],
  ])('K10: gets 503 while %s does not answer, and is applied once when it is sent again', async (_store, between) => {
    let isAway = false;
    const served = await selling({ between: (stores) => between(stores, () => isAway) });
    const acme = await customer(served);
    const id = `evt_${randomUUID()}`;
    isAway = true;
    for (let count = 0; count < 2; count += 1) expect((await send(served, acme, id)).status).toBe(503);
    isAway = false;
    expect(await send(served, acme, id)).toEqual({ status: 200, outcome: 'applied' });
    expect(await send(served, acme, id)).toEqual({ status: 200, outcome: 'repeated' });
    expect(await acme.sold()).toHaveLength(1);
    await served.close();
  });
});

/** A store whose functions `append`, `readStream`, `receive` and `find` fail while `away()` is true. */
const failing = <Store extends object>(store: Store, away: () => boolean): Store =>
  new Proxy(store, {
    get: (target, name) => {
      const part: unknown = Reflect.get(target, name);
      if (typeof part !== 'function') return part;
      return (...given: unknown[]): unknown => {
        if (away() && /^(append|readStream|receive|find)$/.test(String(name)))
          throw new LogError('unavailable', 'away');
        return Reflect.apply(part, target, given);
      };
    },
  });

describe('K10: Message that Stripe does not send again', () => {
  it('gets 503 with Retry-After while the event log is unavailable, and is applied at the next start of Charter', async () => {
    let isAway = true;
    const between = (stores: Stores): Stores => ({ ...stores, log: failing(stores.log, () => isAway) });
    isAway = false;
    const first = await selling({ between });
    const acme = await customer(first);
    isAway = true;
    const refused = await stripeSends(first, acme.created('evt_Once'));
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    isAway = false;
    await first.stop();

    const again = await selling({ folder: first.folder });
    await until(async () => {
      const known = await again.charter.database.inbox.find({ provider: 'stripe', id: 'evt_Once' });
      return known?.state === 'applied';
    });
    const { body } = await again.ask('GET', path(acme.organization), { key: acme.key });
    expect(body.plans.second).toMatchObject({ plan: 'teams' });
    await again.close();
  });
});

const orders = <Item>(items: readonly Item[]): Item[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

describe('Messages in any order', () => {
  let served: Served;
  beforeAll(async () => {
    served = await selling();
  });
  afterAll(() => served.close());

  /**
   * The parts of the result that must be equal for every order of messages. The events behind these parts may differ.
   */
  const outcome = async (acme: Customer) => {
    const { plans, addOns, limits } = await acme.document();
    const { limits: allowed, features } = await acme.entitlements();
    const effective = Object.entries(allowed as Record<string, { limit: number }>).map(([name, { limit }]) => [
      name,
      limit,
    ]);
    const on = Object.entries(features as Record<string, { on: boolean }>).filter(([, feature]) => feature.on);
    // `since` contains the revision of the sale's event, which depends on the order of the messages.
    const bought = (addOns as readonly object[]).map((addOn) => ({ ...addOn, since: undefined }));
    return { plans, addOns: bought, limits, effective, features: on.map(([name]) => name) };
  };

  it('K7: from Stripe have the same result in all 24 orders of `created`, `updated`, `past due` and `deleted`', async () => {
    const ends = [];
    for (const order of orders([0, 1, 2, 3])) {
      const acme = await customer(served);
      const items = [teams, users(3)];
      const messages = [
        acme.created(undefined, 0, [solo]),
        acme.updated(undefined, 60, 'active', items),
        acme.updated(undefined, 120, 'past_due', items),
        acme.deleted(undefined, 180, items),
      ];
      for (const index of order) expect((await stripeSends(served, messages[index]!)).status).toBe(200);
      ends.push(await outcome(acme));
    }
    expect(ends).toHaveLength(24);
    expect(ends[0]).toMatchObject({ plans: { first: null, second: null }, addOns: [] });
    for (const end of ends) expect(end).toEqual(ends[0]);
  });

  it('K7: as CloudEvents have the same result in all orders of two plans, an add-on and the end of a plan', async () => {
    const ends = [];
    for (const order of orders([0, 1, 2, 3])) {
      const acme = await customer(served);
      const sales = [
        acme.sale('1', 'plan.assigned', time(0), { line: 'second', plan: 'solo', subscription: 's' }),
        acme.sale('2', 'plan.assigned', time(1), { line: 'second', plan: 'teams', subscription: 's' }),
        acme.sale('3', 'add-on.purchased', time(2), { purchase: 'p', addOn: 'additionalUser', quantity: 2 }),
        acme.sale('4', 'plan.ended', time(3), { line: 'second', subscription: 's' }),
      ].map((sale) => ({ ...sale, id: `${acme.organization}/${sale.id}` }));
      for (const index of order) expect((await shopSends(served, acme.key, sales[index]!)).status).toBe(200);
      ends.push(await outcome(acme));
    }
    expect(ends[0]).toMatchObject({ plans: { second: null }, addOns: [{ addOn: 'additionalUser', quantity: 2 }] });
    for (const end of ends) expect(end).toEqual(ends[0]);
  });

  it('K8: that arrive late are recorded, but the newer message that arrived first still decides', async () => {
    const acme = await customer(served);
    await stripeSends(served, acme.updated('evt_New', 600, 'active', [teams]));
    const late = await stripeSends(served, acme.updated('evt_Late', 300, 'active', [solo]));
    expect([late.status, late.body.outcome]).toEqual([200, 'overtaken']);
    expect((await acme.sold()).map(({ metadata }) => metadata['causation'])).toContain('evt_Late');
    const after = await stripeSends(served, acme.deleted('evt_End', 900));
    expect(after.body.outcome).toBe('applied');
    expect((await stripeSends(served, acme.created('evt_Later', 10))).body.outcome).toBe('overtaken');
    expect((await acme.document()).plans.second).toBeNull();

    const shop = await customer(served);
    const data = (plan: string) => ({ line: 'second', plan, subscription: 's' });
    const sales = [
      shop.sale(`${shop.organization}/1`, 'plan.assigned', time(60), data('teams')),
      shop.sale(`${shop.organization}/2`, 'plan.assigned', time(30), data('solo')),
    ];
    const { body } = await shopSends(served, shop.key, sales);
    expect(body.results.map((one: { outcome: string }) => one.outcome)).toEqual(['applied', 'overtaken']);
    expect(await shop.sold()).toHaveLength(2);
    expect((await shop.document()).plans.second).toMatchObject({ plan: 'teams' });
  });

  it.each(['from Stripe', 'as CloudEvents'])(
    'K12: that contain a downgrade and arrive %s remove no member; Charter then refuses new members',
    async (way) => {
      const owner = await person(served);
      const acme = await customer(served, { owner: owner.id });
      await stripeSends(served, acme.created(undefined, 0, [teams]));
      for (let count = 0; count < 3; count += 1)
        await served.ask('POST', path(acme.organization, '/members'), {
          key: acme.key,
          body: { user: randomUUID(), role: 'member' },
        });
      const before = await acme.document();
      const data = { line: 'second', plan: 'solo', subscription: acme.subscription };
      const down =
        way === 'from Stripe'
          ? await stripeSends(served, acme.updated(undefined, 600, 'active', [solo]))
          : await shopSends(served, acme.key, acme.sale(`${acme.organization}/1`, 'plan.assigned', time(600), data));
      expect(down.status).toBe(200);
      const after = await acme.document();
      expect([after.plans.second.plan, after.members, after.sites]).toEqual(['solo', before.members, before.sites]);
      expect((await acme.entitlements()).limits.users).toMatchObject({ limit: 1, used: 4, over: 3, remaining: 0 });
      const alice = await signedIn(served, owner);
      const more = await alice.send('POST', path(acme.organization, '/members'), {
        user: randomUUID(),
        role: 'member',
      });
      expect([more.status, more.body.type]).toEqual([409, '/problems/limit-exceeded']);
    },
  );
});
