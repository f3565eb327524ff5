import { givenFor } from '@charter/decider';
import type { Catalogue } from '../catalogue';
import { limit, sold } from '../testing/entitled.testing';
import { heldPlans } from '../entitlements';
import { eventDataSchema, type OrganizationEvent } from '../events';
import { organizationDecider } from '../decide';
import {
  ada,
  added,
  billing,
  bob,
  catalogue,
  closed,
  ended,
  founded,
  given,
  now,
  on,
  operator,
  withKey,
} from '../testing/organization.testing';
import { sellerNames, whenClosed, whoMay } from '../testing/who-may.testing';
import type { z } from 'zod';
import { Feature, type Terms } from '../terms';
import { AssignPlan } from './assign-plan';

/** The same value, with the fields of each object in the reverse order. */
const reversed = <Value>(value: Value): Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, inner]) => [name, reversed<unknown>(inner)]),
      ) as Value)
    : value;
const earlier = '2026-10-01T00:00:00.000Z';
const between = '2026-10-15T00:00:00.000Z';
const ahead = '2026-11-01T00:04:00.000Z';
const assign = (name: `${'first' | 'second'}/${string}`, more: Partial<AssignPlan> = {}) => {
  const [line, plan] = name.split('/') as ['first' | 'second', string];
  return { type: 'AssignPlan', data: { line, plan, ...more } } as const;
};

/** The catalogue a year later, in which every plan has other terms. */
const dearer: Catalogue = {
  ...catalogue,
  terms: (line, plan) => {
    const terms = catalogue.terms(line, plan);
    return terms && { ...terms, limits: { ...terms.limits, users: 3 }, trafficPerMonth: 1 };
  },
};
const givenLater = givenFor(organizationDecider(dearer), { actor: operator, at: now });
const dearSolo = {
  type: 'PlanAssigned',
  data: { line: 'second', plan: 'solo', terms: dearer.terms('second', 'solo')!, effectiveAt: now },
} as const;

describe('AssignPlan', () => {
  it('records the plan and its terms once, however often the command is sent', () => {
    expect(given(founded).when(assign('second/solo'))).toEqual([on('second/solo')]);
    expect(given(founded, on('second/solo')).when(assign('second/solo'))).toEqual([]);
  });

  it('is recorded for a named subscription, even if another subscription holds the same plan, or a person has assigned it', () => {
    const command = assign('second/solo', { subscription: 'sub_2' });
    const event = on('second/solo', now, 'sub_2');
    for (const held of [on('second/solo', now, 'sub_1'), on('second/solo')])
      expect(given(founded, held).when(command)).toEqual([event]);
    expect(given(founded, on('second/solo', now, 'sub_1'), event).when(command)).toEqual([]);
    // If two subscriptions hold the same plan, a repeated command for either records no event.
    const both = given(founded, on('second/solo', now, 'sub_1'), event);
    expect(both.when(assign('second/solo', { subscription: 'sub_1' }))).toEqual([]);
    const left = given(founded, on('second/solo', now, 'sub_1'), event, ended('second', now, 'sub_1')).state();
    expect(heldPlans(left)).toMatchObject([{ line: 'second', plan: 'solo' }]);
  });

  it('replaces the plan of its product line and leaves the other line unchanged', () => {
    const { when } = given(founded, on('first/essential'), on('second/solo'));
    expect(when(assign('second/teams'))).toEqual([on('second/teams')]);
    const state = given(founded, on('first/essential'), on('second/solo'), on('second/teams')).state();
    expect(state.plans.first).toHaveLength(1);
  });

  it('is recorded even if the organization exceeds the new limits', () => {
    const team = [founded, on('second/teams'), added(ada), added(bob)];
    expect(given(...team).when(assign('second/solo'))).toEqual([on('second/solo')]);
  });

  it.each(['second/essential', 'first/solo', 'second/__proto__', 'second/SOLO'] as const)(
    'is refused for %s, which is not for sale',
    (name) => {
      const [line, plan] = name.split('/');
      expect(given(founded).when(assign(name))).toMatchObject({ refused: 'unknown-plan', facts: { line, plan } });
    },
  );

  it('keeps the terms of a plan that the organization already holds', () => {
    expect(givenLater(founded, on('second/solo')).when(assign('second/solo'))).toEqual([]);
    const again = assign('second/solo', { effectiveAt: ahead });
    expect(givenLater(founded, on('second/solo')).when(again)).toEqual([on('second/solo', ahead)]);
  });

  it("grants today's terms if the command requests them, and records them only once", () => {
    const today = assign('second/solo', { terms: 'today' });
    expect(givenLater(founded, on('second/solo')).when(today)).toEqual([dearSolo]);
    expect(givenLater(founded, on('second/solo'), dearSolo).when(today)).toEqual([]);
    expect(given(founded, on('second/solo')).when(today)).toEqual([]);
  });

  it('keeps a held plan that is no longer for sale', () => {
    const { when } = givenFor(organizationDecider({ ...catalogue, terms: () => undefined }), {
      actor: operator,
      at: now,
    })(founded, on('second/solo'));
    expect(when(assign('second/solo'))).toEqual([]);
    expect(when(assign('second/solo', { terms: 'today' }))).toMatchObject({ refused: 'unknown-plan' });
  });

  it('grants terms that an operator names, and records them once', () => {
    const own = { ...catalogue.terms('second', 'solo')!, trafficPerMonth: 7 } as z.infer<typeof Terms>;
    const special = assign('second/solo', { terms: own });
    const event = {
      type: 'PlanAssigned',
      data: { line: 'second', plan: 'solo', terms: own, effectiveAt: now },
    } as const;
    expect(given(founded, on('second/teams')).when(special)).toEqual([event]);
    expect(given(founded, on('second/teams'), event).when(special)).toEqual([]);
    const gone = assign('second/gone', { terms: own });
    expect(given(founded).when(gone)).toMatchObject([{ data: { plan: 'gone', terms: own } }]);
  });

  it('accepts at most as many features in its terms as Charter has; the schema of the event accepts more', () => {
    const terms = catalogue.terms('second', 'solo')!;
    const naming = (features: readonly Feature[]) =>
      AssignPlan.safeParse({ line: 'second', plan: 'solo', terms: { ...terms, features } }).success;
    expect(naming(Feature.options)).toBe(true);
    expect(naming([...Feature.options, 'feedback'])).toBe(false);
    const sold = { line: 'second', plan: 'solo', terms: { ...terms, features: [...Feature.options, 'feedback'] } };
    expect(eventDataSchema('PlanAssigned').safeParse({ ...sold, effectiveAt: now }).success).toBe(true);
  });

  it('grants the terms of an earlier sale of the plan, even if a sale of another plan or an end followed', () => {
    const again = assign('second/solo', { terms: { termsOf: 1 } });
    const sold = [founded, on('second/solo', earlier)];
    expect(givenLater(...sold, on('second/teams')).when(again)).toEqual([on('second/solo')]);
    expect(givenLater(...sold, ended('second')).when(again)).toMatchObject([
      { data: { terms: catalogue.terms('second', 'solo') } },
    ]);
  });

  it.each([
    ['a later event', 9],
    ['an event that is no sale', 0],
    ['a sale of another plan', 2],
  ])('is refused if `termsOf` names %s', (_, termsOf) => {
    const { when } = given(founded, on('second/solo', earlier), on('second/teams'));
    expect(when(assign('second/solo', { terms: { termsOf } }))).toMatchObject({ refused: 'no-such-sale' });
  });

  it.each([
    ['a key', withKey('billing:write')],
    ['a key with every scope', withKey('organizations:operate', 'billing:write')],
    ['billing', billing('m-1')],
  ])('is refused if %s names terms', (_, caller) => {
    const terms = { termsOf: 1 };
    expect(given(founded, on('second/solo')).when(assign('second/solo', { terms }), caller)).toMatchObject({
      ...{ refused: 'not-allowed', facts: { takes: ['operator'] } },
    });
  });

  it("records nothing if today's terms are the same terms with their fields in another order", () => {
    const sorted: Catalogue = { ...catalogue, terms: (...sold) => reversed(catalogue.terms(...sold)) };
    const { when } = givenFor(organizationDecider(sorted), { actor: operator, at: now })(founded, on('second/solo'));
    expect(when(assign('second/solo', { terms: 'today' }))).toEqual([]);
  });

  it("grants today's terms if the organization held the plan earlier, but the plan has ended", () => {
    expect(
      givenLater(founded, on('second/solo', earlier), ended('second', earlier)).when(assign('second/solo')),
    ).toEqual([dearSolo]);
  });

  it.each([
    ['five minutes ahead', '2026-11-01T00:05:00.000Z', undefined],
    ['a millisecond more', '2026-11-01T00:05:00.001Z', 'not-yet-effective'],
    ['long ago', '1999-12-31T23:59:59.999Z', undefined],
  ])('is refused only if `effectiveAt` is more than five minutes ahead: %s', (_when, effectiveAt, refused) => {
    const answer = given(founded).when(assign('second/solo', { effectiveAt }));
    if (refused) expect(answer).toMatchObject({ refused, facts: { effectiveAt } });
    else expect(answer).toEqual([on('second/solo', effectiveAt)]);
  });

  it('that was sent manually never takes effect before a sale or an end that is recorded for its product line', () => {
    const { when } = given(founded, on('second/teams', ahead, 'sub_1'));
    expect(when(assign('second/solo'))).toEqual([on('second/solo', ahead)]);
    const afterAnEnd = given(founded, on('second/teams', ahead), ended('second', ahead));
    expect(afterAnEnd.when(assign('second/solo'))).toEqual([on('second/solo', '2026-11-01T00:04:00.001Z')]);
  });

  it('that was sent manually takes effect after the newest recorded end, even if that end is five minutes ahead', () => {
    const edge = '2026-11-01T00:05:00.000Z';
    expect(given(founded, on('second/teams', edge), ended('second', edge)).when(assign('second/solo'))).toEqual([
      on('second/solo', '2026-11-01T00:05:00.001Z'),
    ]);
  });

  it('records the subscription that the command names', () => {
    const bySubscription = assign('second/solo', { subscription: 'sub_1' });
    expect(given(founded).when(bySubscription)).toEqual([on('second/solo', now, 'sub_1')]);
  });

  it('records each billing message once, even if another message has the same content', () => {
    const givenBilling = givenFor(organizationDecider(catalogue), { ...billing('evt_1'), at: now });
    const command = assign('second/teams', { effectiveAt: earlier, subscription: 'sub_1' });
    const event = on('second/teams', earlier, 'sub_1');
    expect(givenBilling(founded).when(command)).toEqual([event]);
    expect(givenBilling(founded, event).when(command)).toEqual([]);
    expect(givenBilling(founded, event).when(command, billing('evt_2'))).toEqual([event]);
    expect(givenBilling(founded, event, ended('second', now, 'sub_1')).when(command)).toEqual([]);
  });

  it.each([
    ['another moment', assign('second/teams', { effectiveAt: now, subscription: 'sub_1' })],
    ['another subscription', assign('second/teams', { effectiveAt: earlier, subscription: 'sub_2' })],
    ['another plan', assign('second/solo', { effectiveAt: earlier, subscription: 'sub_1' })],
  ])('is recorded as a separate sale if it names %s than the recorded sale', (_what, command) => {
    const givenBilling = givenFor(organizationDecider(catalogue), { ...billing('evt_1'), at: now });
    expect(givenBilling(founded, on('second/teams', earlier, 'sub_1')).when(command)).toHaveLength(1);
  });

  it('from billing renews the plan of its subscription on the terms of its sale, even if the plan of another subscription is in force', () => {
    const renewal = assign('second/solo', { effectiveAt: now, subscription: 'sub_1' });
    const sold = [founded, on('second/solo', earlier, 'sub_1'), on('second/teams', between, 'sub_2')];
    expect(givenLater(...sold).when(renewal, billing('evt_3'))).toEqual([on('second/solo', now, 'sub_1')]);
  });

  it('from billing keeps the terms of the plan that was in force at its moment, also from another subscription or by hand', () => {
    const late = assign('second/solo', { effectiveAt: between, subscription: 'sub_1' });
    const sold = [founded, on('second/solo', earlier), on('second/teams', now, 'sub_2')];
    expect(givenLater(...sold).when(late, billing('evt_3'))).toEqual([on('second/solo', between, 'sub_1')]);
    const special = { ...dearSolo, data: { ...dearSolo.data, effectiveAt: between } } as const;
    const renewal = assign('second/solo', { effectiveAt: now, subscription: 'sub_1' });
    expect(given(founded, on('second/solo', earlier, 'sub_1'), special).when(renewal, billing('evt_3'))).toEqual([
      { ...dearSolo, data: { ...dearSolo.data, subscription: 'sub_1' } },
    ]);
  });

  it('from billing that arrives late has the terms of the next sale of its subscription, if that sale is of the same plan', () => {
    const late = assign('second/solo', { effectiveAt: earlier, subscription: 'sub_1' });
    const sold = [founded, on('second/solo', between, 'sub_1'), on('second/teams', now, 'sub_2')];
    expect(givenLater(...sold).when(late, billing('evt_3'))).toEqual([on('second/solo', earlier, 'sub_1')]);
  });

  it.each([
    ['another plan', on('second/teams', between, 'sub_1')],
    ['an end of the subscription', ended('second', between, 'sub_1')],
    ['a manual end', ended('second', between)],
  ])("from billing has today's terms if %s follows the last sale of its plan", (_what, change) => {
    const renewal = assign('second/solo', { effectiveAt: now, subscription: 'sub_1' });
    const sold = [founded, on('second/solo', earlier, 'sub_1'), change];
    expect(givenLater(...sold).when(renewal, billing('evt_3'))).toEqual([
      { ...dearSolo, data: { ...dearSolo.data, subscription: 'sub_1' } },
    ]);
  });

  it('from billing gives the same limits in every order of two subscriptions that renew after a change of the catalogue', () => {
    const sold = [founded, on('second/solo', earlier, 'sub_1'), on('second/teams', earlier, 'sub_2')];
    const renewals = [
      assign('second/solo', { effectiveAt: now, subscription: 'sub_1' }),
      assign('second/teams', { effectiveAt: between, subscription: 'sub_2' }),
    ];
    for (const order of [renewals, renewals.toReversed()]) {
      const events = order.reduce<readonly OrganizationEvent[]>(
        (before, renewal) => [
          ...before,
          ...(givenLater(...before).when(renewal, billing('evt_3')) as readonly OrganizationEvent[]),
        ],
        sold,
      );
      expect(events.slice(sold.length)).toHaveLength(2);
      expect(limit('users', ...events.slice(1)).effective).toBe(catalogue.terms('second', 'solo')!.limits.users);
    }
  });

  it('may be executed by operators and billing and, after the organization is closed, only by billing', () => {
    expect(whoMay(assign('second/solo'), founded)).toEqual(sellerNames);
    expect(whenClosed(assign('second/solo'))).toBe('organization-closed');
    expect(given(founded, closed).when(assign('second/solo'), billing('evt_1'))).toEqual([on('second/solo')]);
  });
});

// docs/adr/0016-a-new-limit-starts-with-new-terms.md
describe('Limit that the terms of a sale do not name', () => {
  const unnamed = sold('second', 'solo', { limits: {}, hardLimits: {} });
  const unnamedFirst = sold('first', 'essential', { limits: {}, hardLimits: {} });
  const today = (more: Partial<AssignPlan> = {}) => assign('second/solo', { terms: 'today', ...more });
  const usersAfter = (...events: OrganizationEvent[]) => limit('users', ...events).effective;
  const moved = (...events: OrganizationEvent[]) =>
    givenLater(founded, ...events).when(today()) as readonly OrganizationEvent[];

  it('is unlimited until a new PlanAssigned for the same plan names it', () => {
    expect(usersAfter(unnamed)).toBe(Infinity);
    expect(moved(unnamed)).toEqual([dearSolo]);
    expect(usersAfter(unnamed, dearSolo)).toBe(2);
  });

  it('stays unlimited while the plan of the other product line does not name it', () => {
    expect(usersAfter(unnamedFirst, unnamed, ...moved(unnamedFirst, unnamed))).toBe(Infinity);
  });

  it('takes effect with a new sale; the end of the old subscription ends this sale only if the command names that subscription', () => {
    const bought = { ...unnamed, data: { ...unnamed.data, subscription: 'sub_1' } } as OrganizationEvent;
    const named = { subscription: 'sub_1' };
    const end = ended('second', ahead, 'sub_1');
    for (const [more, held] of [
      [{}, 1],
      [named, 0],
    ] as const) {
      const move = givenLater(founded, bought).when(today(more)) as readonly OrganizationEvent[];
      expect(heldPlans(given(founded, bought, ...move, end).state())).toHaveLength(held);
    }
  });
});
