import fc from 'fast-check';
import {
  added,
  ada,
  blog,
  bob,
  bought,
  closed,
  now,
  on,
  overridden,
  shop,
  siteAdded,
} from '../../../organization/src/testing/organization.testing';
import { anyLife } from '../../../organization/src/testing/any-history.testing';
import { foldedAcme } from '../folded.testing';
import { entitlements } from '../printed-entitlements';
import { oneSite } from '../sites/one-site';
import { recipients } from '../public-document';
import { evaluateFlags, flagKeys } from './evaluate-flags';
import { Flag, UNLIMITED } from './flag';
import { type FlagSubject, flagSubjectIn, targetingKeyOf } from './flag-subject';

const ID = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
const CONSOLE = 'https://charter.example/org/ID';
const acme: FlagSubject = { organization: ID, kind: 'organization' };

type Events = Parameters<typeof foldedAcme>;
const flagOf = (key: string, subject: FlagSubject, ...events: Events) =>
  evaluateFlags(subject, foldedAcme(...events).state, now, CONSOLE)?.find((flag) => flag.key === key);
const disabled = { type: 'ProductDisabled', data: {} } as const;
const acmeFlag = (key: string, ...events: Events) => flagOf(key, acme, ...events);

describe('The flag of a feature', () => {
  it('is on and names the grant, if the plan grants the feature', () => {
    expect(acmeFlag('feedback', on('second/solo'))).toEqual({
      ...{ key: 'feedback', value: true, reason: 'TARGETING_MATCH', variant: 'on' },
      metadata: {
        ...{ because: 'plan second/solo (event 1)', event: 1 },
        explain: `${CONSOLE}/overview?why=features%2Ffeedback`,
      },
    });
  });

  it('joins several grants with a plus sign, and names the newest event', () => {
    const { because, event } = acmeFlag('feedback', on('second/solo'), bought(1, 'feedback'))!.metadata;
    expect({ because, event }).toEqual({ because: 'plan second/solo (event 1) + feedback (event 2)', event: 2 });
  });

  it('is off with the reason STATIC, if nothing grants the feature', () => {
    expect(acmeFlag('webAnalytics', on('second/solo'))).toMatchObject({
      ...{ value: false, reason: 'STATIC', variant: 'off' },
      metadata: { because: 'not in second/solo (event 1)' },
    });
    expect(acmeFlag('feedback')).toMatchObject({ value: false, metadata: { because: 'no plan (event 0)' } });
  });

  it('is false with the reason DISABLED, if the organization is closed or its product is disabled', () => {
    for (const [event, because] of [
      [closed, 'closed: moved away (event 2)'],
      [disabled, 'product disabled (event 2)'],
    ] as const)
      expect(acmeFlag('feedback', on('second/solo'), event)).toMatchObject({
        ...{ value: false, reason: 'DISABLED', variant: 'off' },
        metadata: { because, event: 2 },
      });
  });
});

describe('The flag of a limit', () => {
  it('has the enforced limit, and names its parts and the hard limit', () => {
    expect(acmeFlag('limit.users', on('second/solo'), bought(3, 'additionalUser'))).toEqual({
      ...{ key: 'limit.users', value: 2, reason: 'TARGETING_MATCH', variant: 'limited' },
      metadata: {
        because: 'plan second/solo (event 1) + additionalUser ×3 (event 2); hard limit 2 (event 1)',
        ...{ event: 2, configured: 4, hard: 2, explain: `${CONSOLE}/overview?why=users` },
      },
    });
  });

  it('is 2147483647 without a limit, and has no other number', () => {
    expect(acmeFlag('limit.users')).toMatchObject({ value: UNLIMITED, variant: 'unlimited' });
    expect(acmeFlag('limit.users')!.metadata).toEqual({
      ...{ because: 'no plan (event 0)', event: 0, unlimited: true },
      explain: `${CONSOLE}/overview?why=users`,
    });
  });

  it('names an override after the hard limit that the override lifts', () => {
    const flag = acmeFlag('limit.users', on('second/solo'), bought(3, 'additionalUser'), overridden)!;
    expect(flag.value).toBe(4);
    expect(flag.metadata['because']).toMatch(/; hard limit 2 \(event 1\); override: a favour \(event 3\)$/);
  });

  it('is STATIC if the limit is the same for all organizations', () => {
    expect(acmeFlag('limit.webAnalyticsDomains')).toMatchObject({ value: 1_000, reason: 'STATIC' });
  });

  it('does not change when an entry is added, but the remaining amount does', () => {
    const before = [on('second/teams')] as Events;
    const after = [...before, added(ada)] as Events;
    expect(acmeFlag('limit.users', ...after)).toEqual(acmeFlag('limit.users', ...before));
    expect(acmeFlag('remaining.users', ...before)).toMatchObject({ value: 5, metadata: { used: 0, over: 0 } });
    expect(acmeFlag('remaining.users', ...after)).toMatchObject({ value: 4, metadata: { used: 1, over: 0 } });
  });
});

describe('The flag of a remaining amount', () => {
  const sold = [on('second/solo')] as Events;
  it.each<[string, Events, object]>([
    ['available', sold, { value: 1, metadata: { used: 0, over: 0 } }],
    ['exhausted', [...sold, added(ada)], { value: 0, metadata: { used: 1, over: 0 } }],
    ['exhausted', [...sold, added(ada), added(bob)], { value: 0, metadata: { used: 2, over: 1 } }],
    ['unlimited', [added(ada)], { value: UNLIMITED, metadata: { unlimited: true, used: 1, over: 0 } }],
  ])('has the variant "%s", and names the use and the excess', (variant, events, expected) =>
    expect(acmeFlag('remaining.users', ...events)).toMatchObject({ variant, ...expected }),
  );
});

describe('The flag of a plan', () => {
  it('is the name of the plan, or empty without a plan', () => {
    expect(acmeFlag('plan.second', on('second/solo'))).toMatchObject({
      ...{ value: 'solo', variant: 'solo', reason: 'TARGETING_MATCH' },
      metadata: { because: 'plan second/solo (event 1)', event: 1 },
    });
    expect(acmeFlag('plan.first', on('second/solo'))).toMatchObject({ value: '', variant: 'none', reason: 'STATIC' });
  });
});

describe('The flags of a site', () => {
  const ofShop: FlagSubject = { organization: ID, kind: 'site', site: shop };

  it('follow the plan, the own value of the site, and a closing', () => {
    const sold = [on('second/solo'), siteAdded(shop, 'shop.example')] as Events;
    const switched = { type: 'SiteFeaturesChanged', data: { site: shop, features: { logo: false } } } as const;
    expect(flagOf('site.logo', ofShop, ...sold)).toMatchObject({
      ...{ value: true, reason: 'TARGETING_MATCH', variant: 'on' },
      metadata: { because: 'plan (event 1)', event: 1, explain: `${CONSOLE}/sites/${shop}` },
    });
    expect(flagOf('site.logo', ofShop, ...sold, switched)).toMatchObject({ value: false, reason: 'STATIC' });
    expect(flagOf('site.logo', ofShop, ...sold, closed)).toMatchObject({ value: false, reason: 'DISABLED' });
  });

  it('do not exist for a site of another organization', () => {
    const other: FlagSubject = { ...ofShop, site: blog };
    expect(evaluateFlags(other, foldedAcme(siteAdded(shop, 'shop.example')).state, now, CONSOLE)).toBeUndefined();
  });
});

describe('The flags of a member', () => {
  const ofAda: FlagSubject = { organization: ID, kind: 'user', user: ada };

  it('are the role with its event, and whether the member gets notifications', () => {
    const promoted = { type: 'MemberRoleChanged', data: { member: ada, role: 'admin' } } as const;
    const events = [added(ada), on('second/solo'), promoted] as Events;
    expect(flagOf('role', ofAda, ...events)).toMatchObject({
      ...{ value: 'admin', variant: 'admin', reason: 'TARGETING_MATCH' },
      metadata: { because: 'admin (event 3)', event: 3 },
    });
    expect(flagOf('notified', ofAda, ...events)).toMatchObject({ value: true, reason: 'TARGETING_MATCH' });
    for (const event of [closed, disabled])
      expect(flagOf('notified', ofAda, ...events, event)).toMatchObject({ value: false, reason: 'DISABLED' });
  });

  it('do not exist for a person who is not a member', () => {
    expect(evaluateFlags(ofAda, foldedAcme().state, now, CONSOLE)).toBeUndefined();
  });
});

describe('The flags of any organization', () => {
  it('are valid, have the same keys in the same order, and have the values of the entitlements', () => {
    fc.assert(
      fc.property(anyLife, ({ scenes }) => {
        const { after, revision, context } = scenes.at(-1)!;
        const folded = { state: after, revision, at: context.at };
        const flags = evaluateFlags(acme, after, context.at, CONSOLE)!;
        expect(flags.map((flag) => Flag.parse(flag).key)).toEqual(flagKeys.organization);

        const { limits, features } = entitlements(ID)(folded, context.at);
        const values = Object.fromEntries(flags.map(({ key, value }) => [key, value]));
        for (const [feature, { on: isOn }] of Object.entries(features)) expect(values[feature]).toBe(isOn);
        for (const [resource, { limit, remaining }] of Object.entries(limits)) {
          expect(values[`limit.${resource}`]).toBe(limit ?? UNLIMITED);
          expect(values[`remaining.${resource}`]).toBe(remaining ?? UNLIMITED);
        }
        for (const site of Object.keys(after.sites)) {
          const { features: switches } = oneSite(ID, site)(folded, context.at)!;
          const ofSite = evaluateFlags({ organization: ID, kind: 'site', site }, after, context.at, CONSOLE)!;
          expect(ofSite.map(({ key, value }) => [key, value])).toEqual(
            Object.entries(switches).map(([feature, { on: isOn }]) => [`site.${feature}`, isOn]),
          );
        }
        const notified = Object.keys(after.members).filter((user) =>
          evaluateFlags({ organization: ID, kind: 'user', user }, after, context.at, CONSOLE)!.some(
            ({ key, value }) => key === 'notified' && value === true,
          ),
        );
        expect(notified).toEqual(recipients(ID)(folded, context.at).recipients);
      }),
      { numRuns: 60 },
    );
  });
});

describe('A targeting key', () => {
  it.each([
    [ID, acme],
    [ID.toUpperCase(), acme],
    [`${ID}/sites/${shop}`, { organization: ID, kind: 'site', site: shop }],
    [`${ID}/users/${ada.toUpperCase()}`, { organization: ID, kind: 'user', user: ada }],
  ] as const)('%s names its subject', (key, subject) => {
    expect(flagSubjectIn(key)).toEqual(subject);
    expect(targetingKeyOf(subject)).toBe(key.toLowerCase());
  });

  it.each([
    '',
    ID.slice(1),
    `${ID}/`,
    `${ID}/sites`,
    `${ID}/sites/`,
    `${ID}/members/${ada}`,
    `${ID}/sites/x`,
    ` ${ID}`,
  ])('%j is refused', (key) => expect(flagSubjectIn(key)).toBeUndefined());

  it('is refused with more parts', () => expect(flagSubjectIn(`${ID}/sites/${shop}/x`)).toBeUndefined());
});
