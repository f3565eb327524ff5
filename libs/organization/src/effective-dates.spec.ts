import { beginning, decideAll } from '@charter/decider';
import fc from 'fast-check';
import { organizationDecider } from './decide';
import { countingPlans, entitlementsOf, heldPlans, purchasesInForce } from './entitlements';
import { evolve, type OrganizationEvent } from './events';
import {
  momentAfterAll,
  lastEndedSale,
  insertSaleEntry,
  saleInForce,
  type SaleEntry,
  isTooFarAhead,
} from './effective-dates';
import { initial, type Organization, type OrganizationDraft } from './state';
import { bought, catalogue, ended, founded, now, on, operator } from './testing/organization.testing';

/** One thing that was said: the event, and the provider's message that said it, unless a person did. */
type Said = readonly [event: OrganizationEvent, message?: string];

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

/** Lives that billing and people told, in no order that matters. */
const lives: Readonly<Record<string, readonly Said[]>> = {
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
  'two subscriptions that both end, one of them told twice': [
    [on('second/teams', day(1), 's1'), 'm1'],
    [ended('second', day(2), 's1'), 'm2'],
    [on('second/solo', day(1), 's2'), 'm3'],
    [ended('second', day(3), 's2'), 'm4'],
    [ended('second', day(5), 's1'), 'm5'],
    [units(3, day(1)), 'm6'],
  ],
  'ends by hand between them': [
    [on('second/solo', day(1), 's1'), 'm1'],
    [ended('second', day(2))],
    [on('second/teams', day(3), 's2'), 'm2'],
    [ended('second', day(4))],
    [on('second/solo', day(5), 's1'), 'm3'],
    [ended('second', day(5), 's2'), 'm4'],
  ],
  'an end by hand that comes after all': [
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
  'purchases that change, end and are told late': [
    [units(1, day(1), 's1'), 'm1'],
    [units(5, day(2), 's1'), 'm2'],
    [cancelled(day(3), 's1'), 'm3'],
    [units(2, day(4), 's2'), 'm4'],
    [units(9, day(2), undefined, 'p-2'), 'm5'],
    [cancelled(day(2), undefined, 'p-2'), 'm6'],
  ],
};

describe('news in any order (decisions.md 24)', () => {
  it.each(Object.entries(lives))('all orders of %s end alike', (_name, life) => {
    const outcomes = new Set(permutations(life).map((order) => JSON.stringify(outcomeOf(order))));
    expect([...outcomes]).toEqual([JSON.stringify(outcomeOf(life))]);
  });

  it('takes every order there is', () => {
    expect(new Set(permutations([1, 2, 3, 4, 5, 6]).map(String)).size).toBe(720);
  });

  it('ends alike for longer lives, in any order, and as by all that was ever said', () => {
    const property = fc.property(
      fc
        .uniqueArray(anySaid, { selector: placeOf, maxLength: 14 })
        .chain((life) =>
          fc.tuple(fc.constant(life), fc.shuffledSubarray(life, { minLength: life.length, maxLength: life.length })),
        ),
      ([life, shuffled]) => {
        expect(outcomeOf(shuffled)).toEqual(outcomeOf(life));
        expect(heldPlans(stateAfter(shuffled)).map(({ plan, effectiveAt }) => [plan, effectiveAt])).toEqual(
          heldByAllThatWasSaid(life),
        );
      },
    );
    fc.assert(property, { numRuns: 2_000 });
  });
});

const said = (what: string | null, effectiveAt: string, more: Partial<SaleEntry<string>> = {}): SaleEntry<string> => ({
  what,
  effectiveAt,
  subscription: null,
  message: null,
  event: 0,
  at: now,
  ...more,
});
const held = (...news: SaleEntry<string>[]) => saleInForce(news.reduce<SaleEntry<string>[]>(insertSaleEntry, []))?.what;

describe('what is in force', () => {
  it('is nothing before anything was said', () => {
    expect(held()).toBeUndefined();
  });

  it('is what is effective last, not what was heard last', () => {
    expect(held(said('new', day(2)), said('old', day(1)))).toBe('new');
    expect(held(said('old', day(1)), said('new', day(2)))).toBe('new');
  });

  it('is not revived by a late update', () => {
    expect(held(said('solo', day(1)), said(null, day(3)), said('teams', day(2)))).toBeUndefined();
  });

  it('is not held when its end was heard before it', () => {
    expect(held(said(null, day(2)), said('solo', day(1)))).toBeUndefined();
  });

  it('begins again after an end', () => {
    expect(held(said('solo', day(1)), said(null, day(2)), said('teams', day(3)))).toBe('teams');
    expect(held(said('teams', day(3)), said(null, day(2)), said('solo', day(1)))).toBe('teams');
  });

  it('at equal moments has ended, whatever the message ids', () => {
    expect(held(said('solo', day(1), { message: 'm9' }), said(null, day(1), { message: 'm1' }))).toBeUndefined();
    expect(held(said(null, day(1), { message: 'm1' }), said('solo', day(1), { message: 'm9' }))).toBeUndefined();
  });

  it("at equal moments is the greater message's, as text", () => {
    const nine = said('nine', day(1), { message: 'm9' });
    const ten = said('ten', day(1), { message: 'm10' });
    expect(held(nine, ten)).toBe('nine');
    expect(held(ten, nine)).toBe('nine');
  });

  it("at equal moments is a person's word before a provider's, in one subscription as over several", () => {
    const person = said('by hand', day(1));
    const provider = said('sold', day(1), { message: 'm9' });
    expect(held(person, provider)).toBe('by hand');
    expect(held(provider, person)).toBe('by hand');
    expect(held(person, { ...provider, subscription: 's1' })).toBe('by hand');
    expect(held({ ...provider, subscription: 's1' }, person)).toBe('by hand');
  });

  it('is, of two words of people at one moment, the one that was recorded last', () => {
    expect(held(said('one', day(1), { event: 1 }), said('two', day(1), { event: 2 }))).toBe('two');
    const other = { subscription: 's1', event: 2 };
    expect(held(said('one', day(1), { event: 1 }), said('two', day(1), other))).toBe('two');
    expect(held(said('two', day(1), other), said('one', day(1), { event: 1 }))).toBe('two');
  });

  it('is, of several subscriptions, the newest', () => {
    const one = said('one', day(1), { subscription: 's1' });
    const two = said('two', day(2), { subscription: 's2' });
    expect(held(one, two)).toBe('two');
    expect(held(two, one)).toBe('two');
    expect(held(one, two, said(null, day(3), { subscription: 's2' }))).toBe('one');
  });

  it('is not ended by the end of another subscription, and is by one by hand', () => {
    const one = said('one', day(1), { subscription: 's1' });
    expect(held(one, said(null, day(2), { subscription: 's2' }))).toBe('one');
    expect(held(said('by hand', day(1)), said(null, day(2), { subscription: 's2' }))).toBe('by hand');
    expect(held(one, said(null, day(2)))).toBeUndefined();
  });
});

describe('what is kept of all that was said', () => {
  const kept = (...news: SaleEntry<string>[]) =>
    news
      .reduce<SaleEntry<string>[]>(insertSaleEntry, [])
      .map(({ what, effectiveAt }) => `${what ?? 'end'} ${effectiveAt.slice(8, 10)}`);
  const one = { subscription: 's1' };

  it('is the newest assignment of each subscription, and the ends that follow it', () => {
    const life = [
      said('solo', day(1), one),
      said(null, day(2), one),
      said('teams', day(3), one),
      said(null, day(4), one),
    ];
    expect(kept(...life)).toEqual(['teams 03', 'end 04']);
    expect(kept(...life.reverse())).toEqual(['end 04', 'teams 03']);
    expect(kept(said('solo', day(1), one), said('solo', day(1), { subscription: 's2' }))).toHaveLength(2);
  });

  it('does not grow with renewals', () => {
    const renewals = Array.from({ length: 28 }, (_, index) => said('solo', day(index + 1), one));
    expect(kept(...renewals)).toEqual(['solo 28']);
    expect(kept(...renewals.reverse())).toEqual(['solo 28']);
  });

  it('is every end by hand', () => {
    expect(kept(said(null, day(1)), said('solo', day(2)), said(null, day(3)))).toEqual(['end 01', 'solo 02', 'end 03']);
  });

  it('leaves what it was given as it was', () => {
    const before: readonly SaleEntry<string>[] = Object.freeze([said('solo', day(1))]);
    insertSaleEntry(before, said('teams', day(2)));
    expect(before).toEqual([said('solo', day(1))]);
  });
});

describe('what ended last', () => {
  const lastOf = (...news: SaleEntry<string>[]) => {
    const last = lastEndedSale(news.reduce<SaleEntry<string>[]>(insertSaleEntry, []));
    return last && [last.sold.what, last.end.effectiveAt];
  };
  const one = { subscription: 's1' };
  const two = { subscription: 's2' };

  it('is nothing while nothing ended', () => {
    expect(lastOf(said('solo', day(1)))).toBeUndefined();
    expect(lastOf(said(null, day(1)))).toBeUndefined();
  });

  it('is what its end was last of, not what began last', () => {
    const life = [
      said('long', day(1), one),
      said('short', day(2), two),
      said(null, day(3), two),
      said(null, day(4), one),
    ];
    expect(lastOf(...life)).toEqual(['long', day(4)]);
  });

  it('is not what ended long ago and was told to have ended once more', () => {
    const life = [
      said('big', day(1), one),
      said(null, day(2), one),
      said('small', day(1), two),
      said(null, day(3), two),
    ];
    expect(lastOf(...life, said(null, day(5), one))).toEqual(['small', day(3)]);
    expect(lastOf(said(null, day(5), one), ...life)).toEqual(['small', day(3)]);
    expect(lastOf(...life, said(null, day(5)))).toEqual(['small', day(3)]);
  });

  it('is, of several that end by hand at once, the newest', () => {
    const life = [said('big', day(1), one), said('small', day(2), two), said(null, day(3))];
    expect(lastOf(...life)).toEqual(['small', day(3)]);
    expect(lastOf(...life.reverse())).toEqual(['small', day(3)]);
  });

  it('goes by the assignment that the end followed', () => {
    const life = [
      said('solo', day(1), one),
      said(null, day(2), one),
      said('teams', day(3), one),
      said(null, day(4), one),
    ];
    expect(lastOf(...life)).toEqual(['teams', day(4)]);
  });
});

describe("a person's word", () => {
  it.each([
    ['nothing is known', [], day(5), day(5)],
    ['what is known is older', [said('solo', day(1))], day(5), day(5)],
    ['what is known is of this moment', [said('solo', day(5))], day(5), day(5)],
    ['an end is of this moment', [said('solo', day(1)), said(null, day(5))], '2026-10-05T00:00:00.001Z', day(5)],
    ['what is known is newer', [said('solo', day(9))], day(9), day(9)],
    ['an end is newest', [said('solo', day(1)), said(null, day(9))], '2026-10-09T00:00:00.001Z', day(9)],
    [
      'an end and an assignment are newest',
      [said('solo', day(9), { subscription: 's1' }), said(null, day(9))],
      '2026-10-09T00:00:00.001Z',
      day(9),
    ],
    ['an older end is known', [said(null, day(8)), said('solo', day(9))], day(9), day(9)],
  ])('finds a moment at which it counts when %s', (_when, news, assigned, end) => {
    expect(momentAfterAll(news, day(5), false)).toBe(assigned);
    expect(momentAfterAll(news, day(5), true)).toBe(end);
  });

  it('always counts, whatever was heard before', () => {
    const { when } = byHand;
    const property = fc.property(fc.uniqueArray(anySaid, { selector: placeOf, maxLength: 12 }), (life) => {
      const state = stateAfter(life);
      expect(heldPlans(when({ type: 'AssignPlan', data: { line: 'second', plan: 'solo' } }, state))).toMatchObject([
        { plan: 'solo' },
      ]);
      expect(heldPlans(when({ type: 'EndPlan', data: { line: 'second' } }, state))).toEqual([]);
    });
    fc.assert(property, { numRuns: 500 });
  });
});

describe('clocks that differ', () => {
  it.each([
    ['the same moment', '2026-11-01T00:00:00.000Z', false],
    ['long ago', '1999-01-01T00:00:00.000Z', false],
    ['five minutes ahead', '2026-11-01T00:05:00.000Z', false],
    ['a millisecond more', '2026-11-01T00:05:00.001Z', true],
    ['next year', '2027-01-01T00:00:00.000Z', true],
  ])('are forgiven five minutes: %s', (_name, effectiveAt, refused) => {
    expect(isTooFarAhead(effectiveAt, now)).toBe(refused);
  });
});

describe('the last end', () => {
  it('never widens a limit, whatever was told twice', () => {
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
const anySaid: fc.Arbitrary<Said> = fc
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

/** Messages have ids of their own, and a person says one thing at a time: what is alike in all of this is one thing. */
function placeOf([{ type, data }, message]: Said): string {
  return message ?? `${type} ${'effectiveAt' in data ? data.effectiveAt : ''}`;
}

/** The organization after these things were heard, in this order. */
function stateAfter(life: readonly Said[], from = evolve(initial(), founded, told(0)), last = 0): OrganizationDraft {
  return life.reduce(
    (draft, [event, message], index) => evolve(draft, event, { ...told(last + index + 1), message }),
    from,
  );
}

function told(event: number) {
  return { event, at: beginning };
}

/** What everyone sees, without the event numbers. */
function outcomeOf(life: readonly Said[]): unknown {
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

/** The rule once more, slowly and by all that was said: what no end follows, and of that the newest. */
function heldByAllThatWasSaid(life: readonly Said[]): unknown {
  const all = life.map(([event, message]) => {
    const { data } = event as Extract<OrganizationEvent, { type: 'PlanAssigned' | 'PlanEnded' }>;
    const end = event.type === 'PlanEnded';
    return { ...data, end, rank: `${data.effectiveAt} ${end ? 1 : 0} ${message ?? '~'}` };
  });
  const ends = all.filter(({ end }) => end);
  const open = all
    .filter(({ end }) => !end)
    .filter(
      ({ rank, subscription }) =>
        !ends.some((end) => end.rank > rank && (!end.subscription || end.subscription === subscription)),
    )
    .sort((a, b) => (a.rank < b.rank ? 1 : -1));
  return open.slice(0, 1).map(({ plan, effectiveAt }) => [plan, effectiveAt]);
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

const byHand = {
  when: (command: Parameters<ReturnType<typeof organizationDecider>['decide']>[0], state: Organization) => {
    const asked = { actor: operator, at: now };
    const told = decideAll(organizationDecider(catalogue), [command], { state, revision: 99, at: now }, asked);
    if ('refusal' in told) throw new Error(told.refusal.detail);
    return told.after;
  },
};
