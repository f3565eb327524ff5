import { evolve, initial, type Organization, type OrganizationEvent } from '@charter/organization';
import { acme, factOf, holdSolo, holdTeams, holdUsers, other, without } from './billing.testing';
import type { BillingFact } from './fact';
import { reconciled } from './reconciliation';

const moment = (time: string) => `2025-01-15T${time}Z`;
const [nine, ten, eleven] = ['09:00:00.500', '10:00:00.500', '11:00:00.500'] as const;
const noon = moment('12:00:00.000');

const grants = { limits: { users: 1 }, features: [] };
const assigned = (plan: string, time: string, subscription?: string): OrganizationEvent => ({
  type: 'PlanAssigned',
  data: { line: 'second', plan, terms: {} as never, effectiveAt: moment(time), ...(subscription && { subscription }) },
});
const ended = (time: string): OrganizationEvent => ({
  type: 'PlanEnded',
  data: { line: 'second', effectiveAt: moment(time) },
});
const bought = (quantity: number, time: string, purchase = 'sub_1:si_2'): OrganizationEvent => ({
  type: 'AddOnPurchased',
  data: { purchase, addOn: 'additionalUser', quantity, grants, effectiveAt: moment(time), subscription: 'sub_1' },
});
const after = (...entries: [OrganizationEvent, string?][]): Organization =>
  entries.reduce(
    (state, [event, message], index) =>
      evolve(state, event, { event: index, at: noon, ...(message !== undefined && { message }) }),
    initial(),
  );
const lists = (organization: Organization, facts: readonly BillingFact[], at = noon) => {
  const { paidAndNotGranted, grantedAndNotPaid } = reconciled(acme, organization, facts, at);
  return [paidAndNotGranted, grantedAndNotPaid];
};
const both = factOf('evt_1', nine, { holds: [holdSolo, holdUsers(3)] });
const bothGranted: [OrganizationEvent, string?][] = [
  [assigned('solo', nine, 'sub_1'), 'evt_1'],
  [bought(3, nine), 'evt_1'],
];

describe('Reconciliation of paid and granted items', () => {
  it('lists no items when the paid items equal the granted items', () => {
    expect(lists(after(...bothGranted), [both])).toEqual([[], []]);
    expect(lists(after(), [])).toEqual([[], []]);
  });

  it('lists paid items that no event records', () => {
    expect(lists(after(), [both])).toEqual([
      [
        {
          ...holdSolo,
          provider: 'stripe',
          subscription: 'sub_1',
          message: 'evt_1',
          since: moment(nine),
          reason: 'not-recorded',
        },
        expect.objectContaining({ ...holdUsers(3), reason: 'not-recorded' }),
      ],
      [],
    ]);
  });

  it('lists granted items without a payment, with the source of each grant', () => {
    const deleted = factOf('evt_2', ten, { ends: [{ kind: 'plan', line: 'second' }] });
    expect(lists(after(...bothGranted), [both, deleted])).toEqual([
      [],
      [
        {
          kind: 'plan',
          line: 'second',
          plan: 'solo',
          by: 'billing',
          subscription: 'sub_1',
          message: 'evt_1',
          since: moment(nine),
          event: 0,
        },
        expect.objectContaining({ purchase: 'sub_1:si_2', quantity: 3, by: 'billing' }),
      ],
    ]);
    expect(lists(after([assigned('teams', nine)]), [])).toMatchObject([
      [],
      [{ plan: 'teams', by: 'hand', message: null }],
    ]);
  });

  it('compares the states at the given moment', () => {
    const later = factOf('evt_2', eleven, { holds: [holdTeams] });
    expect(lists(after(...bothGranted), [later, both], moment('10:00:00.000'))).toEqual([[], []]);
    expect(lists(after(), [both], moment('08:00:00.000'))).toEqual([[], []]);
    expect(lists(after(...bothGranted), [later, both])).toMatchObject([[{ plan: 'teams' }], [{ plan: 'solo' }, {}]]);
  });

  it('lists an item whose paid quantity differs from its granted quantity', () => {
    expect(lists(after(...bothGranted.slice(0, 1), [bought(1, nine), 'evt_0']), [both])).toMatchObject([
      [{ kind: 'add-on', quantity: 2, reason: 'fewer-granted' }],
      [],
    ]);
    expect(lists(after(...bothGranted, [bought(1, ten)]), [both])).toMatchObject([
      [{ quantity: 2, reason: 'changed-by-hand' }],
      [],
    ]);
    expect(lists(after(...bothGranted, [bought(10, ten)]), [both])).toMatchObject([[], [{ quantity: 7, by: 'hand' }]]);
  });

  it('lists paid items that a person has changed or ended', () => {
    expect(lists(after(...bothGranted, [assigned('teams', ten)]), [both])).toMatchObject([
      [{ plan: 'solo', reason: 'changed-by-hand' }],
      [{ plan: 'teams', by: 'hand' }],
    ]);
    expect(lists(after(...bothGranted, [ended(ten)]), [both])).toMatchObject([
      [{ plan: 'solo', reason: 'changed-by-hand' }],
      [],
    ]);
  });

  it('lists a paid item that a message of another program has ended', () => {
    const over = factOf('e-1', ten, {
      provider: 'cloudevents:erp',
      isWhole: false,
      ends: [{ kind: 'plan', line: 'second' }],
    });
    const facts = [both, without('subscription', over)];
    expect(lists(after(...bothGranted, [ended(ten), 'e-1']), facts)).toMatchObject([
      [{ plan: 'solo', reason: 'changed-by-hand' }],
      [],
    ]);
  });

  it('lists the older plan when two subscriptions pay for plans of the same product line', () => {
    const newer = factOf('evt_9', ten, { subscription: 'sub_2', holds: [{ ...holdTeams, item: 'si_9' }] });
    expect(lists(after(...bothGranted, [assigned('teams', ten, 'sub_2'), 'evt_9']), [both, newer])).toMatchObject([
      [{ plan: 'solo', subscription: 'sub_1', reason: 'another-plan-holds' }],
      [],
    ]);
  });

  it('lists the older plan also if Charter recorded two equal messages of one moment as one event', () => {
    const renamed = factOf('evt_2', nine, { holds: [holdSolo, holdUsers(3)] });
    const newer = factOf('evt_9', ten, { subscription: 'sub_2', holds: [{ ...holdTeams, item: 'si_9' }] });
    const organization = after(...bothGranted, [assigned('teams', ten, 'sub_2'), 'evt_9']);
    expect(lists(organization, [both, renamed, newer])).toMatchObject([
      [{ plan: 'solo', message: 'evt_2', reason: 'another-plan-holds' }],
      [],
    ]);
    const later = factOf('evt_3', eleven, { holds: [holdSolo, holdUsers(3)], dismissed: 'all' });
    expect(lists(organization, [both, newer, later])).toMatchObject([
      [{ message: 'evt_3', reason: 'not-recorded' }],
      [],
    ]);
  });

  it('lists paid items that the catalogue does not contain', () => {
    const unknown = [{ item: 'si_3', price: 'price_new', product: 'prod_new', quantity: 2 }];
    expect(lists(after(...bothGranted), [{ ...both, unknown }])).toMatchObject([
      [{ kind: 'unknown', price: 'price_new', quantity: 2, message: 'evt_1', reason: 'unknown-price' }],
      [],
    ]);
  });

  it('includes items of messages without an organization, but no items of other organizations', () => {
    expect(lists(after(), [without('organization', both)])).toMatchObject([[{ plan: 'solo' }, {}], []]);
    const moved = factOf('evt_2', ten, { organization: other, holds: [holdSolo] });
    expect(lists(after(...bothGranted), [both, moved])).toMatchObject([[], [{ plan: 'solo' }, {}]]);
  });

  it('includes the items that single statements have sold', () => {
    const single = { provider: 'cloudevents:erp', isWhole: false };
    const sold = factOf('e-1', nine, { ...single, holds: [holdTeams] });
    const over = without('subscription', factOf('e-2', ten, { ...single, ends: [{ kind: 'plan', line: 'second' }] }));
    expect(lists(after(), [sold])).toMatchObject([[{ plan: 'teams', provider: 'cloudevents:erp' }], []]);
    expect(lists(after(), [sold, over])).toEqual([[], []]);
    expect(lists(after(), [over, factOf('e-3', eleven, { ...single, holds: [holdSolo] })])).toMatchObject([
      [{ plan: 'solo' }],
      [],
    ]);
  });

  it('keeps apart the single statements of two programs that use the same event id', () => {
    const sold = factOf('e-1', nine, { provider: 'cloudevents:erp', isWhole: false, holds: [holdSolo] });
    const newer = factOf('e-1', ten, { provider: 'cloudevents:shop', isWhole: false, holds: [holdTeams] });
    expect(lists(after(), [sold, newer])).toMatchObject([[{ plan: 'teams', provider: 'cloudevents:shop' }], []]);
  });
});
