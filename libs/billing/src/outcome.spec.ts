import { evolve, initial, type Organization, type OrganizationEvent } from '@charter/organization';
import { factOf, holdSolo, holdTeams, holdUsers, without } from './billing.testing';
import type { BillingFact } from './fact';
import { outcomeOf } from './outcome';

const grants = { limits: { users: 1 }, features: [] };
const assigned = (plan: string, time: string, subscription?: string): OrganizationEvent => ({
  type: 'PlanAssigned',
  data: { line: 'second', plan, terms: {} as never, effectiveAt: moment(time), ...(subscription && { subscription }) },
});
const ended = (time: string, subscription?: string): OrganizationEvent => ({
  type: 'PlanEnded',
  data: { line: 'second', effectiveAt: moment(time), ...(subscription && { subscription }) },
});
const bought = (quantity: number, time: string): OrganizationEvent => ({
  type: 'AddOnPurchased',
  data: {
    purchase: 'sub_1:si_2',
    addOn: 'additionalUser',
    quantity,
    grants,
    effectiveAt: moment(time),
    subscription: 'sub_1',
  },
});
const moment = (time: string) => `2025-01-15T${time}Z`;
const after = (...entries: [OrganizationEvent, string?][]): Organization =>
  entries.reduce((state, [event, message], index) => {
    const context = { event: index, at: moment('12:00:00.000'), ...(message !== undefined && { message }) };
    return evolve(state, event, context);
  }, initial());

const nine = '09:00:00.500';
const ten = '10:00:00.500';
const single = { provider: 'cloudevents:erp', isWhole: false };

describe('Outcome of a message', () => {
  const solo = factOf('evt_1', nine, { holds: [holdSolo] });

  it('is applied if its sale is in force, or if it contains no sale and no newer message exists', () => {
    expect(outcomeOf(solo, [], after([assigned('solo', nine, 'sub_1'), 'evt_1']))).toBe('applied');
    expect(outcomeOf(factOf('evt_1', nine), [], after())).toBe('applied');
  });

  it('is applied if another process has recorded an equal message that arrived at the same time', () => {
    const both = factOf('evt_1', nine, { holds: [holdSolo, holdUsers(2)] });
    expect(outcomeOf(both, [], after([assigned('solo', nine, 'sub_1'), 'evt_2']))).toBe('applied');
    expect(outcomeOf(both, [], after([bought(2, nine), 'evt_2']))).toBe('applied');
  });

  it.each<[string, [OrganizationEvent, string?]]>([
    ['another moment', [assigned('solo', ten, 'sub_1'), 'evt_2']],
    ['another plan', [assigned('teams', nine, 'sub_1'), 'evt_2']],
    ['another quantity', [bought(3, nine), 'evt_2']],
    ['another subscription', [assigned('solo', nine, 'sub_2'), 'evt_2']],
    ['no message, because a person assigned the plan', [assigned('solo', nine, 'sub_1')]],
  ])('is overtaken if the sale in force has %s', (_what, entry) => {
    const both = factOf('evt_1', nine, { holds: [holdSolo, holdUsers(2)] });
    expect(outcomeOf(both, [], after(entry))).toBe('overtaken');
  });

  it('is overtaken if its subscription has a newer message, even with equal content', () => {
    const newer = factOf('evt_2', ten, { holds: [holdSolo] });
    const state = after([assigned('solo', ten, 'sub_1'), 'evt_2'], [assigned('solo', nine, 'sub_1'), 'evt_1']);
    expect(outcomeOf(solo, [newer], state)).toBe('overtaken');
    expect(outcomeOf(newer, [solo], state)).toBe('applied');
  });

  it('is overtaken if it contains no sale and a newer message of its subscription exists', () => {
    const state = after([assigned('solo', ten, 'sub_1'), 'evt_2']);
    expect(outcomeOf(factOf('evt_1', nine), [factOf('evt_2', ten, { holds: [holdSolo] })], state)).toBe('overtaken');
  });

  it("is overtaken if a person's later change or a later sale of another subscription decides the plan of the product line", () => {
    expect(outcomeOf(solo, [], after([assigned('teams', ten)], [assigned('solo', nine, 'sub_1'), 'evt_1']))).toBe(
      'overtaken',
    );
    expect(
      outcomeOf(
        solo,
        [],
        after([assigned('solo', nine, 'sub_1'), 'evt_1'], [assigned('teams', ten, 'sub_2'), 'evt_9']),
      ),
    ).toBe('overtaken');
  });

  it('is applied if at least one of its sales is in force', () => {
    const both = factOf('evt_1', nine, { holds: [holdSolo, holdUsers(2)] });
    const state = after(
      [assigned('solo', nine, 'sub_1'), 'evt_1'],
      [bought(2, nine), 'evt_1'],
      [assigned('teams', ten, 'sub_2'), 'evt_9'],
    );
    expect(outcomeOf(both, [], state)).toBe('applied');
  });

  it.each<[string, Partial<BillingFact>, [OrganizationEvent, string?][], string]>([
    ['an end of what it ended', {}, [[assigned('solo', nine)], [ended(ten), 'e-1']], 'applied'],
    ['an end before anything', {}, [[ended(ten), 'e-1']], 'applied'],
    [
      'an end, then a new sale',
      {},
      [
        [ended(ten), 'e-1'],
        [assigned('solo', '11:00:00.000'), 'e-2'],
      ],
      'overtaken',
    ],
    [
      'an end of one subscription beside another one',
      { subscription: 'sub_1' },
      [
        [ended(ten, 'sub_1'), 'e-1'],
        [assigned('solo', '11:00:00.000', 'sub_2'), 'e-2'],
      ],
      'applied',
    ],
  ])(
    'depends on the newest sale or end, if the message is a single statement that ends a plan: %s',
    (_what, more, entries, outcome) => {
      const fact = without('subscription', factOf('e-1', ten, { ...single, ends: [{ kind: 'plan', line: 'second' }] }));
      expect(outcomeOf({ ...fact, ...more }, [], after(...entries))).toBe(outcome);
    },
  );

  it('is overtaken if the message is a single statement and the sale in force is newer', () => {
    const late = factOf('e-1', nine, { ...single, holds: [holdTeams] });
    const state = after([assigned('solo', ten, 'sub_1'), 'e-2'], [assigned('teams', nine, 'sub_1'), 'e-1']);
    expect(outcomeOf(late, [], state)).toBe('overtaken');
  });
});
