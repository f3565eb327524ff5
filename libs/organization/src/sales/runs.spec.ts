import { evolve, type OrganizationEvent } from '../events';
import { countingPlans, entitlementsOf, heldPlans, purchasesInForce } from '../entitlements';
import { initial, type Organization, type OrganizationDraft } from '../state';
import { bought, catalogue, ended, founded, now, on } from '../testing/organization.testing';
import { repetitionsOf } from './runs';

const day = (number: number) => `2026-10-${String(number).padStart(2, '0')}T00:00:00.000Z`;

/** The state after the founding, which has revision 0, and these events, which have the revisions from 1 on. */
function stateAfter(events: readonly OrganizationEvent[]): Organization {
  const from = evolve(initial(), founded, { event: 0, at: now });
  return events.reduce<OrganizationDraft>(
    (draft, event, index) => evolve(draft, event, { event: index + 1, at: now, message: `m${index + 1}` }),
    from,
  );
}

const sinceOf = (...events: OrganizationEvent[]) =>
  heldPlans(stateAfter(events)).map(
    ({ plan, event, effectiveAt }) => `${plan} by ${event} since ${effectiveAt.slice(8, 10)}`,
  );
const repeatedIn = (...events: OrganizationEvent[]) => [...repetitionsOf(stateAfter(events))];

const units = (quantity: number, effectiveAt: string) => {
  const event = bought(quantity, 'additionalUser', 'p-1') as Extract<OrganizationEvent, { type: 'AddOnPurchased' }>;
  return { ...event, data: { ...event.data, effectiveAt } };
};
const laterTerms = (effectiveAt: string): OrganizationEvent => ({
  type: 'PlanAssigned',
  data: { line: 'second', plan: 'teams', terms: catalogue.terms('second', 'solo')!, effectiveAt, subscription: 's1' },
});
const teams = (number: number, subscription?: string) => on('second/teams', day(number), subscription);
const solo = (number: number, subscription?: string) => on('second/solo', day(number), subscription);

describe('Plan that billing repeats (decisions.md 24)', () => {
  it('begins with the first sale, in every order of arrival', () => {
    expect(sinceOf(teams(1, 's1'), teams(2, 's1'), teams(3, 's1'))).toEqual(['teams by 1 since 01']);
    expect(sinceOf(teams(3, 's1'), teams(1, 's1'), teams(2, 's1'))).toEqual(['teams by 2 since 01']);
  });

  it('begins again after an end or a sale of another plan, even if the message about this end or sale arrives late', () => {
    const run = [teams(1, 's1'), teams(3, 's1'), teams(5, 's1')];
    expect(sinceOf(...run, solo(2, 's1'))).toEqual(['teams by 2 since 03']);
    expect(sinceOf(...run, ended('second', day(4), 's1'))).toEqual(['teams by 3 since 05']);
    expect(sinceOf(...run, ended('second', day(4)))).toEqual(['teams by 3 since 05']);
    expect(sinceOf(...run, solo(4, 's2'))).toEqual(['teams by 3 since 05']);
  });

  it('does not begin again after the end of another subscription', () => {
    expect(sinceOf(teams(1, 's1'), ended('second', day(2), 's2'), teams(3, 's1'))).toEqual(['teams by 1 since 01']);
  });

  it('begins with a manual sale if billing then confirms the sale', () => {
    expect(sinceOf(teams(1), teams(2, 's1'))).toEqual(['teams by 1 since 01']);
  });

  it('never begins with a sale of a subscription that has ended', () => {
    expect(sinceOf(teams(1, 's1'), teams(2, 's2'), ended('second', day(3), 's1'))).toEqual(['teams by 2 since 02']);
  });

  it('begins with its own first sale again after the plan of another subscription has ended', () => {
    const life = [teams(1, 's1'), teams(2, 's1'), solo(3, 's2'), ended('second', day(4), 's2')];
    expect(sinceOf(...life)).toEqual(['teams by 1 since 01']);
    expect(sinceOf(...life, teams(5, 's1'))).toEqual(['teams by 1 since 01']);
  });

  it('begins with the first sale of its present terms', () => {
    expect(sinceOf(teams(1, 's1'), laterTerms(day(2)), laterTerms(day(3)))).toEqual(['teams by 2 since 02']);
  });

  it('names the event of its first sale in each reason', () => {
    const { limits, features } = entitlementsOf(stateAfter([teams(1, 's1'), teams(2, 's1')]), now);
    const cited = [...Object.values(limits), ...Object.values(features)].flatMap(({ because }) =>
      because.flatMap(({ kind, event }) => (kind === 'plan' || kind === 'hard-limit' ? [event] : [])),
    );
    expect(new Set(cited)).toEqual(new Set([1]));
  });

  it('still names the event of its first sale as its reason after the plan has ended', () => {
    const state = stateAfter([teams(1, 's1'), teams(2, 's1'), ended('second', day(3), 's1')]);
    expect(countingPlans(state)).toMatchObject([{ plan: 'teams', event: 1, effectiveAt: day(1) }]);
  });

  it('begins at the moved moment if Charter records a message again with a moment one millisecond later', () => {
    const at = '2026-10-01T00:00:00.500Z';
    const moved = '2026-10-01T00:00:00.501Z';
    const life: [OrganizationEvent, string][] = [
      [on('second/teams', at, 's1'), 'm2'],
      [on('second/solo', at, 's1'), 'm1'],
      [on('second/teams', moved, 's1'), 'm2'],
    ];
    const state = life.reduce<OrganizationDraft>(
      (draft, [event, message], index) => evolve(draft, event, { event: index + 1, at: now, message }),
      evolve(initial(), founded, { event: 0, at: now }),
    );
    expect(heldPlans(state)).toMatchObject([{ plan: 'teams', event: 3, effectiveAt: moved }]);
  });
});

describe('Purchase that billing repeats', () => {
  it('begins with the first sale of its present quantity', () => {
    const held = (...events: OrganizationEvent[]) => purchasesInForce(stateAfter(events));
    expect(held(units(2, day(1)), units(2, day(2)))).toMatchObject([{ quantity: 2, event: 1 }]);
    expect(held(units(2, day(1)), units(3, day(2)), units(3, day(3)))).toMatchObject([{ quantity: 3, event: 2 }]);
  });
});

describe('Repetitions of a history', () => {
  it('are the sales that changed nothing, each with the revision of the event that it repeats', () => {
    expect(
      repeatedIn(teams(1, 's1'), teams(2, 's1'), solo(3, 's1'), solo(4, 's1'), units(2, day(1)), units(2, day(2))),
    ).toEqual([
      [2, 1],
      [4, 3],
      [6, 5],
    ]);
  });

  it('never contain an event that a reason names', () => {
    expect(repeatedIn(teams(3, 's1'), teams(1, 's1'))).toEqual([[1, 2]]);
    expect(repeatedIn(teams(1, 's1'), teams(2, 's2'))).toEqual([[2, 1]]);
    expect(repeatedIn(teams(1, 's1'), teams(2, 's2'), ended('second', day(3), 's1'))).toEqual([]);
  });

  it('are the same after the sale has ended', () => {
    expect(repeatedIn(teams(1, 's1'), teams(2, 's1'), ended('second', day(3), 's1'))).toEqual([[2, 1]]);
  });
});
