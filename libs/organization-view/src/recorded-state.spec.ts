import { evolve, initial, type OrganizationEvent } from '@charter/organization';
import { byHand } from '../../organization/src/testing/entitled.testing';
import {
  ada,
  added,
  bought,
  ended,
  now,
  on,
  overridden,
  shop,
  siteAdded,
} from '../../organization/src/testing/organization.testing';
import { foldedAcme } from './folded.testing';
import { recordedState, sectionOf, statePart } from './recorded-state';

const stateAfter = (...events: OrganizationEvent[]) => recordedState(foldedAcme(...events).state);

describe('Recorded state', () => {
  it('shows every field of the state except the fields that only the fold needs', () => {
    const fields = Object.keys(initial()) as (keyof ReturnType<typeof initial>)[];
    const hidden = fields.filter((field) => !Object.hasOwn(stateAfter(), sectionOf(field)));
    expect(hidden.toSorted()).toEqual(['founded', 'reports', 'sizes']);
  });

  it('shows entries with their ids as keys, without references to events', () => {
    expect(stateAfter(added(ada, 'owner'), siteAdded(shop, 'shop.test'))).toMatchObject({
      members: { [ada]: { role: 'owner', productUser: false } },
      sites: { [shop]: { hostname: 'shop.test', name: 'shop.test', features: {} } },
    });
    const text = JSON.stringify(stateAfter(added(ada), siteAdded(shop, 'shop.test'), overridden, byHand({ users: 7 })));
    expect(text).not.toMatch(/"(event|at)"/);
  });

  it('shows a plan while the organization holds it, and null after the plan has ended', () => {
    const { data } = on('second/solo') as Extract<OrganizationEvent, { type: 'PlanAssigned' }>;
    const held = { plan: 'solo', terms: data.terms, effectiveAt: now, subscription: null };
    expect(stateAfter(on('second/solo'))).toMatchObject({ plans: { first: null, second: held } });
    expect(stateAfter(on('second/solo'), ended('second'))).toMatchObject({ plans: { first: null, second: null } });
  });

  it('shows purchases under the name `addOns`, without cancelled purchases', () => {
    const cancelled = { type: 'AddOnCancelled', data: { purchase: 'p-feedback', effectiveAt: now } } as const;
    expect(stateAfter(bought(2, 'feedback'))).toMatchObject({
      addOns: { 'p-feedback': { addOn: 'feedback', quantity: 2 } },
    });
    expect(stateAfter(bought(2, 'feedback'), cancelled)['addOns']).toEqual({});
  });

  it('shows limits that were set manually', () => {
    expect(stateAfter(byHand({ users: 7, contentSections: 2 }), byHand({ users: null }))['limitsByHand']).toEqual({
      contentSections: 2,
    });
  });

  it('is a copy that later events do not change', () => {
    const { state } = foldedAcme(added(ada));
    const before = recordedState(state);
    const copy = JSON.stringify(before);
    const removed = { type: 'MemberRemoved', data: { member: ada } } as const;
    evolve(state as ReturnType<typeof initial>, removed, { event: 9, at: now });
    expect(JSON.stringify(before)).toBe(copy);
  });
});

describe('Part of the recorded state', () => {
  const { state } = foldedAcme(added(ada), on('second/solo'));

  it('equals the same part of the whole recorded state', () => {
    expect(statePart(state, ['members', ada])).toEqual({ role: 'member', productUser: false });
    expect(statePart(state, ['name'])).toBe('Acme');
    expect(statePart(state, ['plans'])).toEqual(recordedState(state)['plans']);
  });

  it('is undefined for unknown ids, even for names that every object inherits', () => {
    for (const id of ['unknown', '__proto__', 'constructor', 'toString'])
      expect([id, statePart(state, ['members', id])]).toEqual([id, undefined]);
    expect(statePart(state, ['sizes'])).toBeUndefined();
  });
});
