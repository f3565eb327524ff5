import { acme, event, item, morePrices, nine, prices, solo, strange, subscription, users } from './billing.testing';
import type { BillingFact, Prices } from './fact';
import { stripeFacts } from './stripe';
import { rereadFact, quarantineReason } from './waiting-messages';

const read = (message: unknown, countsTests = false, known = prices) =>
  stripeFacts(message, { prices: known, countsTests });
const factIn = (message: unknown, known = prices): BillingFact => {
  const found = read(message, false, known);
  if (found?.kind !== 'fact') throw new Error(`is ${found?.kind}`);
  return found.fact;
};

describe('Stripe message', () => {
  it('gives the whole content of a subscription without personal data', () => {
    const personal = { description: 'Ada Lovelace', customer: { id: 'cus_1', email: 'ada@example.com' } };
    const message = event('updated', subscription([solo, users(3)], personal));
    expect(factIn(message)).toEqual({
      provider: 'stripe',
      id: 'evt_1',
      type: 'customer.subscription.updated',
      time: '2025-01-15T09:00:00.500Z',
      organization: acme,
      customer: 'cus_1',
      subscription: 'sub_1',
      isWhole: true,
      holds: [
        { kind: 'plan', line: 'second', plan: 'solo', item: 'si_1' },
        { kind: 'add-on', purchase: 'sub_1:si_2', addOn: 'additionalUser', quantity: 3, item: 'si_2' },
      ],
      ends: [],
      unknown: [],
    });
    expect(JSON.stringify(read(message))).not.toMatch(/ada/i);
  });

  it.each([
    ['created', '.000Z'],
    ['updated', '.500Z'],
    ['paused', '.500Z'],
    ['resumed', '.500Z'],
    ['deleted', '.999Z'],
  ])('of type %s gets a time that ends with %s', (change, milliseconds) => {
    expect(read(event(change, subscription([solo])))?.head.time).toBe(`2025-01-15T09:00:00${milliseconds}`);
  });

  it.each([
    ['active', 'holds'],
    ['trialing', 'holds'],
    ['past_due', 'holds'],
    ['canceled', 'ends'],
    ['unpaid', 'ends'],
    ['paused', 'ends'],
    ['incomplete_expired', 'nothing'],
  ])('about a subscription with the status %s has this effect: %s', (status, effect) => {
    const { holds, ends } = factIn(event('updated', subscription([solo], { status })));
    expect([holds.length, ends.length]).toEqual({ holds: [1, 0], ends: [0, 1], nothing: [0, 0] }[effect]);
  });

  it("ends all items when the subscription is deleted, whatever the subscription's status is", () => {
    for (const status of ['active', 'canceled', 'incomplete'])
      expect(factIn(event('deleted', subscription([solo, users(2)], { status })))).toMatchObject({
        holds: [],
        ends: [
          { kind: 'plan', line: 'second' },
          { kind: 'add-on', purchase: 'sub_1:si_2' },
        ],
      });
  });

  it.each([
    ['type-not-used', event('trial_will_end', subscription([solo]))],
    ['type-not-used', { ...event('x', { anything: [] }), type: 'invoice.paid' }],
    ['type-not-used', { ...event('x', {}), type: 'constructor' }],
    ['other-account', event('updated', subscription([solo]), { account: 'acct_1' })],
    ['test-mode', event('updated', subscription([solo]), { livemode: false })],
    ['not-paid-yet', event('created', subscription([solo], { status: 'incomplete' }))],
  ])('is ignored for the reason %s', (reason, message) => {
    expect(read(message)).toMatchObject({ kind: 'ignored', reason, head: { id: 'evt_1' } });
  });

  it('has an effect in test mode if the settings allow test messages', () => {
    expect(read(event('updated', subscription([solo]), { livemode: false }), true)?.kind).toBe('fact');
  });

  it.each([
    ['no items', subscription([], { items: undefined }), 'items'],
    ['an unknown status', subscription([solo], { status: 'frozen in Ada’s name' }), 'status'],
    ['half a unit', subscription([item({ quantity: 0.5 })]), 'items.data.0.quantity'],
    ['fewer than no units', subscription([item({ quantity: -1 })]), 'items.data.0.quantity'],
    ['an object of another type', { object: 'customer', id: 'cus_1', name: 'Ada' }, 'object'],
    ['no object', null, ''],
  ])('is quarantined if it contains an error; the reason names the path of the error: %s', (_what, object, path) => {
    const found = read(event('updated', object as object));
    expect(found).toMatchObject({ kind: 'quarantined', reason: 'unreadable' });
    if (found?.kind !== 'quarantined') return;
    expect(found.detail).toContain(path);
    expect(found.detail).not.toMatch(/ada/i);
  });

  it.each([
    null,
    [],
    'text',
    {},
    { object: 'event' },
    { ...event('updated', {}), id: '' },
    { ...event('updated', {}), created: '1' },
  ])('is not translated if it is not a Stripe event: %j', (message) => {
    expect(read(message)).toBeUndefined();
  });
});

describe('Subscription item', () => {
  const holdsOf = (...items: object[]) => factIn(event('updated', subscription(items))).holds;

  it('is found in the catalogue by its price or, if the price is unknown, by its product', () => {
    const both = item({ price: 'price_solo', product: 'prod_teams' });
    expect(holdsOf(both)).toMatchObject([{ plan: 'solo' }]);
    expect(holdsOf(item({ product: 'prod_teams' }))).toMatchObject([{ plan: 'teams' }]);
    expect(
      holdsOf({ ...item(), price: { id: 'price_1', product: { id: 'prod_teams', name: 'Teams' } } }),
    ).toMatchObject([{ plan: 'teams' }]);
  });

  it('is listed as unknown if the catalogue lacks it; the other items of the message are sales', () => {
    expect(factIn(event('updated', subscription([solo, strange])))).toMatchObject({
      holds: [{ plan: 'solo' }],
      unknown: [{ item: 'si_3', price: 'price_new', product: 'prod_new', quantity: 1 }],
    });
  });

  it('means one unit without a quantity, and no unit with the quantity 0', () => {
    expect(holdsOf(item({ id: 'si_2', product: 'prod_users' }))).toMatchObject([{ quantity: 1 }]);
    expect(holdsOf(users(0), item({ price: 'price_solo', quantity: 0 }))).toEqual([]);
  });

  it('is listed as unknown if its quantity is too large or its ids are too long, and does not prevent the other sales', () => {
    const long = 'x'.repeat(200);
    const metered = item({ id: 'si_4', price: long, product: long, quantity: 1_000_000 });
    const many = factIn(event('updated', subscription([{ ...solo, quantity: 20_000 }, users(20_000), metered])));
    expect(many).toMatchObject({
      holds: [{ plan: 'solo' }],
      unknown: [{ item: 'si_2', quantity: 20_000 }, { price: long }],
    });
    const [waiting, still] = [many, rereadFact(many, morePrices)].map((fact) => quarantineReason(fact)?.detail);
    expect(waiting).toContain('the price price_1 of the product prod_users in the quantity 20000, the price');
    expect(still).toBe(waiting);
    expect(factIn(event('deleted', subscription([solo, metered])))).toMatchObject({ ends: [{ kind: 'plan' }] });
  });

  it('determines the plan of its product line if it was added last, at any place in the message', () => {
    const older = item({ id: 'si_9', price: 'price_solo' });
    const newer = item({ id: 'si_1', product: 'prod_teams', created: nine + 60 });
    const essential = item({ id: 'si_3', product: 'prod_essential' });
    const expected = [
      { kind: 'plan', line: 'first', plan: 'essential', item: 'si_3' },
      { kind: 'plan', line: 'second', plan: 'teams', item: 'si_1' },
    ];
    expect(holdsOf(essential, older, newer)).toEqual(expected);
    expect(holdsOf(newer, older, essential)).toEqual(expected);
    // The price of the older item was unknown when the message arrived.
    const withoutSolo: Prices = { byProviderId: (id) => (id === 'price_solo' ? undefined : prices.byProviderId(id)) };
    const vague = factIn(event('updated', subscription([newer, older, essential])), withoutSolo);
    expect(vague).toMatchObject({ holds: expected, unknown: [{ item: 'si_9' }] });
    expect(rereadFact(vague, prices)).toMatchObject({ holds: expected, unknown: [] });
  });

  it('is a separate purchase even if another item has the same add-on', () => {
    const second = item({ id: 'si_5', product: 'prod_users', quantity: 2 });
    expect(holdsOf(users(1), second)).toMatchObject([
      { purchase: 'sub_1:si_2', quantity: 1 },
      { purchase: 'sub_1:si_5', quantity: 2 },
    ]);
  });

  it('makes the fact partial if the message leaves it out (`has_more`)', () => {
    const message = subscription([solo], { items: { data: [solo], has_more: true } });
    expect(factIn(event('updated', message)).isPartial).toBe(true);
    expect(factIn(event('deleted', message)).isPartial).toBeUndefined();
  });
});

describe('Organization of a message', () => {
  const organizationIn = (metadata: unknown) =>
    factIn(event('updated', subscription([solo], { metadata }))).organization;

  it('is read from the metadata, even if its id is in upper case', () => {
    expect(organizationIn({ organization: acme.toUpperCase(), more: 'x' })).toBe(acme);
  });

  it.each([undefined, null, {}, { organization: 'Acme' }, { organization: '' }])(
    'is absent if the metadata is %j',
    (metadata) => {
      expect(organizationIn(metadata)).toBeUndefined();
    },
  );
});
