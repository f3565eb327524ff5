import { fold, recorded } from '@charter/decider';
import { eventFlaw, type OrganizationEvent } from './events';
import { decider } from './testing/any-history.testing';
import { ada, bought, ended, founded, now, on, operator } from './testing/organization.testing';

/** A member, a site and both kinds of domains, each added with this id. */
const additions = (id: string) => [
  ['member', { type: 'MemberAdded', data: { member: id, role: 'member' } }] as const,
  ['site', { type: 'SiteAdded', data: { site: id, hostname: 'www.example.com', name: 'Shop' } }] as const,
  ['domain', { type: 'QualityAssuranceDomainAdded', data: { domain: id, hostname: 'www.example.com' } }] as const,
  ['domain', { type: 'WebAnalyticsDomainAdded', data: { domain: id, hostname: 'www.example.com' } }] as const,
];
const dated = (effectiveAt: string) => [on('second/solo', effectiveAt), ended('second', effectiveAt)];
/** Parsed from JSON text, because an object literal with the name `__proto__` would set the prototype. */
const limitsWithPrototype = JSON.parse('{ "limits": { "users": 7, "__proto__": 1 } }') as object;

describe('Data of a stored event', () => {
  it.each(['', 'abc', '__proto__', 'constructor', ada.toUpperCase(), `${ada}\n`, `{${ada}}`])(
    'has a flaw if the id of an entry is %j',
    (id) => {
      for (const [field, event] of additions(id))
        expect([event.type, eventFlaw(event)]).toMatchObject([event.type, { path: [field] }]);
    },
  );

  it('has no flaw if the id of an entry is a GUID in lower case', () => {
    for (const [, event] of additions('00000000-0000-0000-0000-00000000000f')) expect(eventFlaw(event)).toBeUndefined();
  });

  it.each([
    '2026-11-21T10:00:00Z',
    '2026-11-21T10:00:00.123456Z',
    '2026-11-21T10:00Z',
    '2026-11-21T12:00:00.000+02:00',
  ])('has a flaw if its moment is %s, because moments compare as text', (moment) => {
    for (const event of dated(moment)) expect(eventFlaw(event)).toMatchObject({ path: ['effectiveAt'] });
    const override = { type: 'HardLimitsOverridden', data: { reason: 'a favour', until: moment } };
    expect(eventFlaw(override)).toMatchObject({ path: ['until'] });
  });

  it('has no flaw if its moment has milliseconds and is in UTC', () => {
    for (const event of dated('2026-11-21T10:00:00.123Z')) expect(eventFlaw(event)).toBeUndefined();
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', 'prototype'])(
    'may name a purchase %s, and the state then contains only this purchase',
    (purchase) => {
      const events = [founded, bought(2, 'additionalUser', purchase)] as OrganizationEvent[];
      for (const event of events) expect(eventFlaw(event)).toBeUndefined();
      const { state } = fold(decider, recorded(events, { actor: operator, at: now }));
      expect(Object.keys(state.purchases)).toEqual([purchase]);
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    },
  );

  it('has a flaw if a name in the data would set the prototype of the state', () => {
    expect(eventFlaw(bought(2, 'additionalUser', '__proto__'))).toMatchObject({ path: ['purchase'] });
    const cancelled = { type: 'AddOnCancelled', data: { purchase: '__proto__', effectiveAt: now } };
    expect(eventFlaw(cancelled)).toMatchObject({ path: ['purchase'] });
    expect(eventFlaw({ type: 'LimitsConfigured', data: limitsWithPrototype })).toMatchObject({ path: ['limits'] });
  });
});
