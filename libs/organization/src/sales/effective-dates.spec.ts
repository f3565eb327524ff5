import { beginning, decideAll } from '@charter/decider';
import fc from 'fast-check';
import { organizationDecider } from '../decide';
import { countingPlans, entitlementsOf, heldPlans, purchasesInForce } from '../entitlements';
import { evolve, type OrganizationEvent } from '../events';
import { momentAfterAll, lastEndedSale, saleInForce, refusalOfFuture } from './effective-dates';
import { allEntries, insertSaleEntry, type SaleEntry } from './entries';
import { initial, type Organization, type OrganizationDraft } from '../state';
import { bought, catalogue, ended, founded, now, on, operator } from '../testing/organization.testing';

/**
 * One sale or end: its event, and the id of the provider's message. A report without an id stands for a manual command.
 */
type Report = readonly [event: OrganizationEvent, message?: string];

const day = (number: number) => `2026-10-${String(number).padStart(2, '0')}T00:00:00.000Z`;
const units = (quantity: number, effectiveAt: string, subscription?: string, purchase = 'p-1'): OrganizationEvent => {
  const { data } = bought(quantity, 'additionalUser', purchase) as Extract<
    OrganizationEvent,
    { type: 'AddOnPurchased' }
  >;
  return { type: 'AddOnPurchased', data: { ...data, effectiveAt, ...(subscription && { subscription }) } };
};
const cancelled = (effectiveAt: string, subscription?: string, purchase = 'p-1'): OrganizationEvent => ({
  type: 'AddOnCancelled',
  data: { purchase, effectiveAt, ...(subscription && { subscription }) },
});

/** Lists of messages and manual commands. The items of a list must give the same state in every order. */
const lives: Readonly<Record<string, readonly Report[]>> = {
  'one subscription, renewed and ended': [
    [on('second/solo', day(1), 's1'), 'm1'],
    [on('second/teams', day(2), 's1'), 'm2'],
    [on('second/solo', day(3), 's1'), 'm3'],
    [ended('second', day(4), 's1'), 'm4'],
    [on('second/teams', day(5), 's1'), 'm5'],
    [ended('second', day(6), 's1'), 'm6'],
  ],
  'two subscriptions that overlap': [
    [on('second/solo', day(1), 's1'), 'm1'],
    [on('second/teams', day(2), 's2'), 'm2'],
    [ended('second', day(3), 's1'), 'm3'],
    [ended('second', day(4), 's2'), 'm4'],
    [on('second/solo', day(5), 's1'), 'm5'],
    [on('second/teams', day(6), 's2'), 'm6'],
  ],
  'two subscriptions that both end, one of them twice': [
    [on('second/teams', day(1), 's1'), 'm1'],
    [ended('second', day(2), 's1'), 'm2'],
    [on('second/solo', day(1), 's2'), 'm3'],
    [ended('second', day(3), 's2'), 'm4'],
    [ended('second', day(5), 's1'), 'm5'],
    [units(3, day(1)), 'm6'],
  ],
  'manual ends between them': [
    [on('second/solo', day(1), 's1'), 'm1'],
    [ended('second', day(2))],
    [on('second/teams', day(3), 's2'), 'm2'],
    [ended('second', day(4))],
    [on('second/solo', day(5), 's1'), 'm3'],
    [ended('second', day(5), 's2'), 'm4'],
  ],
  'a manual end after everything': [
    [on('second/teams', day(1))],
    [on('second/solo', day(2), 's1'), 'm1'],
    [on('second/teams', day(3), 's2'), 'm2'],
    [ended('second', day(4), 's1'), 'm3'],
    [ended('second', day(6))],
    [units(2, day(5)), 'm4'],
  ],
  'everything at one moment': [
    [on('second/solo', day(1), 's1'), 'm1'],
    [on('second/teams', day(1), 's1'), 'm2'],
    [on('second/solo', day(1), 's2'), 'm3'],
    [ended('second', day(1), 's1'), 'm0'],
    [on('second/teams', day(1))],
    [ended('second', day(1), 's2'), 'm9'],
  ],
  'greater message ids at one moment': [
    [on('second/solo', day(1), 's1'), 'm1'],
    [on('second/teams', day(1), 's1'), 'm3'],
    [on('second/solo', day(1), 's1'), 'm2'],
    [on('second/teams', day(1), 's2'), 'm4'],
    [on('second/solo', day(1), 's2'), 'm5'],
    [on('first/essential', day(1), 's1'), 'm1'],
  ],
  'both lines, of which both end': [
    [on('first/professional', day(1), 's1'), 'm1'],
    [on('second/solo', day(1), 's2'), 'm2'],
    [ended('first', day(3), 's1'), 'm3'],
    [ended('second', day(3), 's2'), 'm4'],
    [on('second/teams', day(2), 's2'), 'm5'],
    [on('first/essential', day(2), 's1'), 'm6'],
  ],
  'purchases that change, end and arrive late': [
    [units(1, day(1), 's1'), 'm1'],
    [units(5, day(2), 's1'), 'm2'],
    [cancelled(day(3), 's1'), 'm3'],
    [units(2, day(4), 's2'), 'm4'],
    [units(9, day(2), undefined, 'p-2'), 'm5'],
    [cancelled(day(2), undefined, 'p-2'), 'm6'],
  ],
};

describe('Sales and ends in any order (decisions.md 24)', () => {
  it.each(Object.entries(lives))('give the same state in every order of %s', (_name, life) => {
    const outcomes = new Set(permutations(life).map((order) => JSON.stringify(outcomeOf(order))));
    expect([...outcomes]).toEqual([JSON.stringify(outcomeOf(life))]);
  });

  it('are tested in every order, for example in 720 orders of six reports', () => {
    expect(new Set(permutations([1, 2, 3, 4, 5, 6]).map(String)).size).toBe(720);
  });

  it('give the same state in a random order of longer histories; a separate computation finds the same held plans', () => {
    const property = fc.property(
      fc
        .uniqueArray(anyReport, { selector: identityOf, maxLength: 14 })
        .chain((life) =>
          fc.tuple(fc.constant(life), fc.shuffledSubarray(life, { minLength: life.length, maxLength: life.length })),
        ),
      ([life, shuffled]) => {
        expect(JSON.stringify(outcomeOf(shuffled))).toBe(JSON.stringify(outcomeOf(life)));
        expect(heldPlans(stateAfter(shuffled)).map(({ plan, effectiveAt }) => [plan, effectiveAt])).toEqual(
          heldByAllReports(life),
        );
      },
    );
    fc.assert(property, { numRuns: 1_000 });
  });
});

const entry = (what: string | null, effectiveAt: string, more: Partial<SaleEntry<string>> = {}): SaleEntry<string> => ({
  what,
  effectiveAt,
  subscription: null,
  message: null,
  event: 0,
  at: now,
  ...more,
});
const held = (...entries: SaleEntry<string>[]) =>
  saleInForce(entries.reduce<SaleEntry<string>[]>(insertSaleEntry, []))?.what;

describe('Sale in force', () => {
  it('does not exist before the first sale or end', () => {
    expect(held()).toBeUndefined();
  });

  it('is the sale with the latest effectiveAt, even if another sale arrived later', () => {
    expect(held(entry('new', day(2)), entry('old', day(1)))).toBe('new');
    expect(held(entry('old', day(1)), entry('new', day(2)))).toBe('new');
  });

  it('is not restored by a late update of an ended sale', () => {
    expect(held(entry('solo', day(1)), entry(null, day(3)), entry('teams', day(2)))).toBeUndefined();
  });

  it('does not exist if an end takes effect after the sale, even if the end arrived first', () => {
    expect(held(entry(null, day(2)), entry('solo', day(1)))).toBeUndefined();
  });

  it('exists again if a new sale takes effect after the end', () => {
    expect(held(entry('solo', day(1)), entry(null, day(2)), entry('teams', day(3)))).toBe('teams');
    expect(held(entry('teams', day(3)), entry(null, day(2)), entry('solo', day(1)))).toBe('teams');
  });

  it('has ended if an end has the same moment, whatever the message ids are', () => {
    expect(held(entry('solo', day(1), { message: 'm9' }), entry(null, day(1), { message: 'm1' }))).toBeUndefined();
    expect(held(entry(null, day(1), { message: 'm1' }), entry('solo', day(1), { message: 'm9' }))).toBeUndefined();
  });

  it('is the sale with the greater message id, compared as text, when two sales have the same moment', () => {
    const nine = entry('nine', day(1), { message: 'm9' });
    const ten = entry('ten', day(1), { message: 'm10' });
    expect(held(nine, ten)).toBe('nine');
    expect(held(ten, nine)).toBe('nine');
  });

  it('is the manual sale when a sale from billing has the same moment, in one subscription and in several', () => {
    const person = entry('by hand', day(1));
    const provider = entry('sold', day(1), { message: 'm9' });
    expect(held(person, provider)).toBe('by hand');
    expect(held(provider, person)).toBe('by hand');
    expect(held(person, { ...provider, subscription: 's1' })).toBe('by hand');
    expect(held({ ...provider, subscription: 's1' }, person)).toBe('by hand');
  });

  it('is the sale that was recorded last when two manual sales have the same moment', () => {
    expect(held(entry('one', day(1), { event: 1 }), entry('two', day(1), { event: 2 }))).toBe('two');
    const other = { subscription: 's1', event: 2 };
    expect(held(entry('one', day(1), { event: 1 }), entry('two', day(1), other))).toBe('two');
    expect(held(entry('two', day(1), other), entry('one', day(1), { event: 1 }))).toBe('two');
  });

  it('is the newest of the sales of several subscriptions', () => {
    const one = entry('one', day(1), { subscription: 's1' });
    const two = entry('two', day(2), { subscription: 's2' });
    expect(held(one, two)).toBe('two');
    expect(held(two, one)).toBe('two');
    expect(held(one, two, entry(null, day(3), { subscription: 's2' }))).toBe('one');
  });

  it('is ended by a manual end, but not by an end of another subscription', () => {
    const one = entry('one', day(1), { subscription: 's1' });
    expect(held(one, entry(null, day(2), { subscription: 's2' }))).toBe('one');
    expect(held(entry('by hand', day(1)), entry(null, day(2), { subscription: 's2' }))).toBe('by hand');
    expect(held(one, entry(null, day(2)))).toBeUndefined();
  });
});

describe('Stored sales and ends', () => {
  const keptAfter = (...entries: SaleEntry<string>[]) =>
    entries
      .reduce<SaleEntry<string>[]>(insertSaleEntry, [])
      .map(({ what, effectiveAt }) => `${what ?? 'end'} ${effectiveAt.slice(8, 10)}`);
  const one = { subscription: 's1' };

  it('are the newest sale of each subscription, and the ends that follow it', () => {
    const life = [
      entry('solo', day(1), one),
      entry(null, day(2), one),
      entry('teams', day(3), one),
      entry(null, day(4), one),
    ];
    expect(keptAfter(...life)).toEqual(['teams 03', 'end 04']);
    expect(keptAfter(...life.reverse())).toEqual(['end 04', 'teams 03']);
    expect(keptAfter(entry('solo', day(1), one), entry('solo', day(1), { subscription: 's2' }))).toHaveLength(2);
  });

  it('contain the common content of renewals only once', () => {
    const renewals = Array.from({ length: 28 }, (_, index) => entry('solo', day(index + 1), one));
    for (const order of [renewals, renewals.toReversed()]) {
      const [newest, ...others] = order.reduce<SaleEntry<string>[]>(insertSaleEntry, []);
      expect([newest!.what, others]).toEqual(['solo', []]);
      expect(newest!.earlier!.map(({ effectiveAt }) => effectiveAt)).toEqual(
        Array.from({ length: 27 }, (_, index) => day(27 - index)),
      );
      expect(newest!.earlier!.filter((older) => 'what' in older)).toEqual([]);
    }
  });

  it('take at most 140 bytes for each renewal whose message id is as long as an id of Stripe', () => {
    const renewal = (index: number) =>
      entry('solo', new Date(Date.parse(day(1)) + index * 3_600_000).toISOString(), {
        ...{ ...one, event: 1_000 + index },
        message: `evt_${String(index).padStart(24, '0')}`,
      });
    const bytesAfter = (count: number) =>
      JSON.stringify(
        Array.from({ length: count }, (_, index) => renewal(index)).reduce<SaleEntry<string>[]>(insertSaleEntry, []),
      ).length;
    expect((bytesAfter(600) - bytesAfter(100)) / 500).toBeLessThanOrEqual(140);
  });

  it('contain all sales and ends of the history in every order of arrival', () => {
    const life = [
      entry('solo', day(1), { ...one, event: 1 }),
      entry('solo', day(2), { ...one, event: 2 }),
      entry(null, day(3), { ...one, event: 3 }),
      entry('teams', day(4), { ...one, event: 4 }),
      entry('solo', day(5), { ...one, event: 5 }),
      entry('solo', day(6), { ...one, event: 6 }),
    ];
    for (const order of permutations(life)) {
      const entries = allEntries(order.reduce<SaleEntry<string>[]>(insertSaleEntry, []));
      expect(entries.toSorted((a, b) => a.event - b.event)).toEqual(life);
    }
  });

  it('include every manual end', () => {
    expect(keptAfter(entry(null, day(1)), entry('solo', day(2)), entry(null, day(3)))).toEqual([
      'end 01',
      'solo 02',
      'end 03',
    ]);
  });

  it('do not change when another sale is inserted, because the insertion returns a new list', () => {
    const before: readonly SaleEntry<string>[] = Object.freeze([entry('solo', day(1))]);
    insertSaleEntry(before, entry('teams', day(2)));
    expect(before).toEqual([entry('solo', day(1))]);
  });
});

describe('Last ended sale', () => {
  const lastOf = (...entries: SaleEntry<string>[]) => {
    const last = lastEndedSale(entries.reduce<SaleEntry<string>[]>(insertSaleEntry, []));
    return last && [last.sold.what, last.end.effectiveAt];
  };
  const one = { subscription: 's1' };
  const two = { subscription: 's2' };

  it('does not exist if no sale has ended', () => {
    expect(lastOf(entry('solo', day(1)))).toBeUndefined();
    expect(lastOf(entry(null, day(1)))).toBeUndefined();
  });

  it('is the sale with the latest end, not the sale with the latest beginning', () => {
    const life = [
      entry('long', day(1), one),
      entry('short', day(2), two),
      entry(null, day(3), two),
      entry(null, day(4), one),
    ];
    expect(lastOf(...life)).toEqual(['long', day(4)]);
  });

  it('is not an older sale whose end is reported a second time', () => {
    const life = [
      entry('big', day(1), one),
      entry(null, day(2), one),
      entry('small', day(1), two),
      entry(null, day(3), two),
    ];
    expect(lastOf(...life, entry(null, day(5), one))).toEqual(['small', day(3)]);
    expect(lastOf(entry(null, day(5), one), ...life)).toEqual(['small', day(3)]);
    expect(lastOf(...life, entry(null, day(5)))).toEqual(['small', day(3)]);
  });

  it('is the newest of the sales that one manual end ends', () => {
    const life = [entry('big', day(1), one), entry('small', day(2), two), entry(null, day(3))];
    expect(lastOf(...life)).toEqual(['small', day(3)]);
    expect(lastOf(...life.reverse())).toEqual(['small', day(3)]);
  });

  it('is the second of two sales if both sales have ended', () => {
    const life = [
      entry('solo', day(1), one),
      entry(null, day(2), one),
      entry('teams', day(3), one),
      entry(null, day(4), one),
    ];
    expect(lastOf(...life)).toEqual(['teams', day(4)]);
  });
});

describe('Manual command', () => {
  it.each([
    ['no entry is known', [], day(5), day(5)],
    ['the known entry is older', [entry('solo', day(1))], day(5), day(5)],
    ['the known entry is of this moment', [entry('solo', day(5))], day(5), day(5)],
    ['an end is of this moment', [entry('solo', day(1)), entry(null, day(5))], '2026-10-05T00:00:00.001Z', day(5)],
    ['the known entry is newer', [entry('solo', day(9))], day(9), day(9)],
    ['an end is the newest entry', [entry('solo', day(1)), entry(null, day(9))], '2026-10-09T00:00:00.001Z', day(9)],
    [
      'an end and a sale are the newest entries',
      [entry('solo', day(9), { subscription: 's1' }), entry(null, day(9))],
      '2026-10-09T00:00:00.001Z',
      day(9),
    ],
    ['an older end is known', [entry(null, day(8)), entry('solo', day(9))], day(9), day(9)],
  ])('gets a moment that is not before any recorded sale or end when %s', (_when, entries, assigned, end) => {
    expect(momentAfterAll(entries, day(5), false)).toBe(assigned);
    expect(momentAfterAll(entries, day(5), true)).toBe(end);
  });

  it('always gets a moment at which it takes effect, whatever sales and ends are recorded', () => {
    const { when } = byHand;
    const property = fc.property(fc.uniqueArray(anyReport, { selector: identityOf, maxLength: 12 }), (life) => {
      const state = stateAfter(life);
      expect(heldPlans(when({ type: 'AssignPlan', data: { line: 'second', plan: 'solo' } }, state))).toMatchObject([
        { plan: 'solo' },
      ]);
      expect(heldPlans(when({ type: 'EndPlan', data: { line: 'second' } }, state))).toEqual([]);
    });
    fc.assert(property, { numRuns: 500 });
  });
});

describe('Moment in `effectiveAt`', () => {
  it.each([
    ['the same moment', '2026-11-01T00:00:00.000Z', false],
    ['long ago', '1999-01-01T00:00:00.000Z', false],
    ['five minutes ahead', '2026-11-01T00:05:00.000Z', false],
    ['a millisecond more', '2026-11-01T00:05:00.001Z', true],
    ['next year', '2027-01-01T00:00:00.000Z', true],
  ])(
    'is refused only if it is more than five minutes ahead, because clocks may differ: %s',
    (_name, effectiveAt, refused) => {
      expect(refusalOfFuture(effectiveAt, now) !== undefined).toBe(refused);
    },
  );
});

describe('The end of the last plan', () => {
  it('leaves the limits as they are, even if the end is repeated', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ plan: fc.constantFrom('second/solo', 'second/teams'), subscription: anySubscription }),
        fc.record({ end: fc.constant(true), subscription: fc.option(anySubscription, { nil: undefined }) }),
      ),
      { maxLength: 12 },
    );
    const property = fc.property(steps, (life) => {
      let state = stateAfter([]);
      for (const [index, step] of life.entries()) {
        const before = entitlementsOf(state, now).limits.users.effective;
        const wasHeld = heldPlans(state).length > 0;
        const at = day(index + 1);
        const event = 'plan' in step ? on(step.plan, at, step.subscription) : ended('second', at, step.subscription);
        state = stateAfter([[event, `m${index}`]], state, index);
        const isLast = 'end' in step && heldPlans(state).length === 0 && countingPlans(state).length > 0;
        const after = entitlementsOf(state, now).limits.users.effective;
        if (isLast) expect(after).toBe(before);
        if (isLast && wasHeld) expect(countingPlans(state)).toHaveLength(1);
      }
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});

const anySubscription = fc.constantFrom('s1', 's2', 's3');
const anyReport: fc.Arbitrary<Report> = fc
  .record({
    plan: fc.constantFrom('second/solo', 'second/teams', null),
    days: fc.integer({ min: 1, max: 6 }),
    subscription: fc.option(anySubscription, { nil: undefined }),
    message: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
  })
  .map(({ plan, days, subscription, message }) => [
    plan === null ? ended('second', day(days), subscription) : on(plan as 'second/solo', day(days), subscription),
    ...(message === undefined ? ([] as const) : ([`m${message}`] as const)),
  ]);

/** A message has a unique id; a manual command is identified by its type and its moment. */
function identityOf([{ type, data }, message]: Report): string {
  return message ?? `${type} ${'effectiveAt' in data ? data.effectiveAt : ''}`;
}

/** The state after these reports, recorded in this order. */
function stateAfter(
  life: readonly Report[],
  from = evolve(initial(), founded, contextOf(0)),
  last = 0,
): OrganizationDraft {
  return life.reduce(
    (draft, [event, message], index) => evolve(draft, event, { ...contextOf(last + index + 1), message }),
    from,
  );
}

function contextOf(event: number) {
  return { event, at: beginning };
}

/** The held plans, the purchases and the entitlements of the resulting state, without event numbers. */
function outcomeOf(life: readonly Report[]): unknown {
  const state = stateAfter(life);
  const outcome = {
    held: heldPlans(state),
    counting: countingPlans(state),
    purchases: purchasesInForce(state).toSorted((a, b) => (a.purchase < b.purchase ? -1 : 1)),
    entitlements: entitlementsOf(state, now),
  };
  return JSON.parse(
    JSON.stringify(outcome, (key, value: unknown) => (key === 'event' ? undefined : value === Infinity ? null : value)),
  );
}

/**
 * Computes the held plan a second time, without the code under test. The plan is the newest sale whose subscription
 * has no later end. The start is the first open sale of the same unbroken series of sales (`Run` in `runs.ts`).
 */
function heldByAllReports(life: readonly Report[]): unknown {
  const all = life
    .map(([event, message]) => {
      const { data } = event as Extract<OrganizationEvent, { type: 'PlanAssigned' | 'PlanEnded' }>;
      const end = event.type === 'PlanEnded';
      return { ...data, end, message, rank: `${data.effectiveAt} ${end ? 1 : 0} ${message ?? '~'}` };
    })
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    // Of equal sales of one subscription and one moment, the last message counts.
    .filter(({ end, message, plan, subscription, effectiveAt, rank }, _, every) => {
      const isAgain = (other: (typeof every)[number]) =>
        [other.plan, other.subscription, other.effectiveAt, other.end].join() ===
          [plan, subscription, effectiveAt, false].join() && other.message !== undefined;
      return end || message === undefined || !every.some((other) => isAgain(other) && other.rank > rank);
    });
  type Known = (typeof all)[number];
  const openIn = (known: readonly Known[]) =>
    known.filter(
      (sale) =>
        !sale.end &&
        !known.some(
          ({ end, rank, subscription }) =>
            end && rank > sale.rank && (!subscription || subscription === sale.subscription),
        ),
    );
  const heldIn = (known: readonly Known[]) => openIn(known).at(-1);
  const beganRun = (sale: Known): Known => {
    const before = heldIn(all.slice(0, all.indexOf(sale)));
    return before && before.plan === sale.plan ? beganRun(before) : sale;
  };
  const held = heldIn(all);
  if (!held) return [];
  const start = openIn(all).find((sale) => beganRun(sale) === beganRun(held))!;
  return [[held.plan, start.effectiveAt]];
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

const byHand = {
  when: (command: Parameters<ReturnType<typeof organizationDecider>['decide']>[0], state: Organization) => {
    const context = { actor: operator, at: now };
    const contextOf = decideAll(organizationDecider(catalogue), [command], { state, revision: 99, at: now }, context);
    if ('refusal' in contextOf) throw new Error(contextOf.refusal.detail);
    return contextOf.after;
  },
};
