import { momentAt } from '@charter/decider';
import { evolve, type OrganizationEvent } from '../events';
import { countingPlans, entitlementsOf, heldPlans, purchasesInForce } from '../entitlements';
import { initial, type Organization, type OrganizationDraft } from '../state';
import { bought, catalogue, ended, founded, now, on } from '../testing/organization.testing';
import { repetitionsOf } from './runs';

const day = (number: number) => `2026-10-${String(number).padStart(2, '0')}T00:00:00.000Z`;

const halfPast = '2026-10-01T00:00:00.500Z';

/**
 * The state after the founding, which has revision 0, and these events with the ids of their messages. The events have
 * the revisions from 1 on.
 */
const stateOf = (events: readonly (readonly [event: OrganizationEvent, message: string])[]): Organization =>
  events.reduce<OrganizationDraft>(
    (draft, [event, message], index) => evolve(draft, event, { event: index + 1, at: now, message }),
    evolve(initial(), founded, { event: 0, at: now }),
  );
const stateAfter = (events: readonly OrganizationEvent[]) =>
  stateOf(events.map((event, index) => [event, `m${index + 1}`]));

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
  it('begins with the first sale, even if a later sale arrives before it', () => {
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

  it('begins with the first sale of equal terms, even if their fields have another order', () => {
    const { limits, ...others } = catalogue.terms('second', 'teams')!;
    const sold = teams(2, 's1') as Extract<OrganizationEvent, { type: 'PlanAssigned' }>;
    const sorted = { ...sold, data: { ...sold.data, terms: { ...others, limits } } };
    expect(sinceOf(teams(1, 's1'), sorted)).toEqual(['teams by 1 since 01']);
    expect(repeatedIn(teams(1, 's1'), sorted)).toEqual([[2, 1]]);
  });

  it('names the event of its first sale in each reason', () => {
    const { limits, features } = entitlementsOf(stateAfter([teams(1, 's1'), teams(2, 's1')]), now);
    const cited = [...Object.values(limits), ...Object.values(features)].flatMap(({ because }) =>
      because.flatMap(({ kind, event }) => (kind === 'plan' || kind === 'hard-limit' ? [event] : [])),
    );
    expect(new Set(cited)).toEqual(new Set([1]));
  });

  it('has the event of its first sale as its reason, even after the plan has ended', () => {
    const state = stateAfter([teams(1, 's1'), teams(2, 's1'), ended('second', day(3), 's1')]);
    expect(countingPlans(state)).toMatchObject([{ plan: 'teams', event: 1, effectiveAt: day(1) }]);
  });

  it.each([
    ['the same message', 'm2', 1],
    ['the same message among many of one second', 'm2', 199],
    ['a message with equal content', 'm3', 1],
    ['a message with equal content', 'm3', 9],
  ])('begins at the later moment if Charter records %s again some milliseconds later', (_, message, milliseconds) => {
    const moved = momentAt(Date.parse(halfPast) + milliseconds);
    const state = stateOf([
      [on('second/teams', halfPast, 's1'), 'm2'],
      [on('second/solo', halfPast, 's1'), 'm1'],
      [on('second/teams', moved, 's1'), message],
    ]);
    expect(heldPlans(state)).toMatchObject([{ plan: 'teams', event: 3, effectiveAt: moved }]);
  });

  it.each([
    ['150 milliseconds', 's1', 150],
    ['10 milliseconds', 's1', 10],
    ['one millisecond, without a subscription', undefined, 1],
    ['9 milliseconds, without a subscription', undefined, 9],
  ])('begins with the first of two CloudEvents with a distance of %s', (_, subscription, milliseconds) => {
    const later = momentAt(Date.parse(halfPast) + milliseconds);
    const state = stateOf([
      [on('second/teams', halfPast, subscription), 'm1'],
      [on('second/teams', later, subscription), 'm2'],
    ]);
    expect(heldPlans(state)).toMatchObject([{ plan: 'teams', event: 1, effectiveAt: halfPast }]);
    expect([...repetitionsOf(state)]).toEqual([[2, 1]]);
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
