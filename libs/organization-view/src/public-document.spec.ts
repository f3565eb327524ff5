import type { OrganizationEvent } from '@charter/organization';
import { disabled, overriddenUntil } from '../../organization/src/testing/entitled.testing';
import {
  ada,
  added,
  blog,
  bob,
  bought,
  closed,
  ended,
  now,
  on,
  overridden,
  shop,
  siteAdded,
} from '../../organization/src/testing/organization.testing';
import { foldedAcme } from './folded.testing';
import { publicDocument, publicDocumentFields, publicDocumentSchema, recipients } from './public-document';

type Document = Record<string, unknown> & {
  limits: Record<string, unknown>;
  pulseFeatures: Record<string, boolean>;
  sites: readonly Record<string, unknown>[];
};
const document = (...events: OrganizationEvent[]) =>
  publicDocument('acme', 'pulse')(foldedAcme(...events), now) as unknown as Document;

const parallel = (parallelUse: boolean | null): OrganizationEvent => ({
  type: 'ParallelUseChanged',
  data: { parallelUse },
});
const flagged = (member: string): OrganizationEvent => ({ type: 'ProductUserFlagged', data: { member } });

describe('Public document', () => {
  it('uses the product key from the settings as the name of the second product line', () => {
    const asPulse = Object.keys(document(added(ada)));
    const asEcho = Object.keys(publicDocument('acme', 'echo')(foldedAcme(added(ada)), now));
    expect(asPulse.filter((key) => !asEcho.includes(key))).toEqual(['pulse', 'pulseDetails', 'pulseFeatures']);
    expect(asPulse.filter((key) => asEcho.includes(key)).toSorted()).toEqual([...publicDocumentFields].toSorted());
    expect(Object.keys(publicDocumentSchema('pulse').shape).toSorted()).toEqual(asPulse.toSorted());
    expect(document(added(ada), flagged(ada))['members']).toMatchObject([
      { _id: ada, role: 'member', pulseUser: true },
    ]);
  });

  it('contains the plan of each product line and the moment at which the plan began, or null', () => {
    expect(document(on('first/essential'))).toMatchObject({
      plans: { first: { plan: 'essential', effectiveAt: now }, second: null },
      pulse: false,
      pulseDetails: { plan: null, parallelUse: null },
    });
    expect(document(on('second/solo'), parallel(true))).toMatchObject({
      pulse: true,
      pulseDetails: { plan: 'solo', parallelUse: true },
    });
    expect(document(on('second/solo'), ended('second'))).toMatchObject({ plans: { second: null }, pulse: false });
  });

  it('shows configured limits, even if a hard limit is lower', () => {
    const { limits } = document(on('second/solo'), bought(3, 'additionalUser'));
    expect(limits).toMatchObject({ users: 4, contentSections: 1, webAnalyticsDomains: 1000, override: false });
    expect(document().limits).toMatchObject({ users: null, contentSections: null });
  });

  it('shows an override until it ends', () => {
    expect(document(overridden).limits).toMatchObject({ override: true });
    expect(document(overriddenUntil('2026-12-01T00:00:00.000Z')).limits).toMatchObject({ override: true });
    expect(document(overriddenUntil(now)).limits).toMatchObject({ override: false });
  });

  it('shows each feature as a boolean, and every feature as false after the organization is closed', () => {
    expect(document(on('second/solo')).pulseFeatures).toMatchObject({ feedback: true, webAnalytics: false });
    const after = document(on('second/solo'), closed);
    expect([after['closed'], Object.values(after.pulseFeatures).some(Boolean)]).toEqual([true, false]);
  });

  it("shows a site with its Unicode hostname, its own features and the plan's defaults for all other features", () => {
    const changed: OrganizationEvent = { type: 'SiteFeaturesChanged', data: { site: blog, features: { logo: false } } };
    const events = [siteAdded(shop, 'xn--bcher-kva.example'), siteAdded(blog, 'blog.test'), changed];
    const [first, second] = document(on('second/solo'), ...events).sites;
    expect(first).toMatchObject({ _id: shop, hostname: 'xn--bcher-kva.example', unicode: 'bücher.example' });
    expect(first).toMatchObject({ features: { logo: true }, report: { weekly: false, monthly: true }, live: true });
    expect(second).toMatchObject({ _id: blog, features: { logo: false, live: false }, live: true });
    expect(document(...events).sites[0]).toMatchObject({ features: { logo: false }, live: false });
  });

  it('lists the purchases in force, with the quantity and the start of each purchase', () => {
    const cancelled: OrganizationEvent = {
      type: 'AddOnCancelled',
      data: { purchase: 'p-additionalUser', effectiveAt: now },
    };
    const events = [bought(2, 'additionalUser'), bought(1, 'feedback')];
    const since = (event: number) => ({ effectiveAt: now, since: { event, at: now } });
    const feedback = { purchase: 'p-feedback', addOn: 'feedback', quantity: 1, ...since(2) };
    expect(document(...events)['addOns']).toEqual([
      { purchase: 'p-additionalUser', addOn: 'additionalUser', quantity: 2, ...since(1) },
      feedback,
    ]);
    expect(document(...events, cancelled)['addOns']).toEqual([feedback]);
  });
});

// decisions.md 15
describe('Recipients of notifications', () => {
  const team = [added(ada), added(bob), flagged(bob)];
  const notified = (...events: OrganizationEvent[]) =>
    (recipients('acme')(foldedAcme(...team, ...events), now) as { recipients: readonly string[] }).recipients;

  it.each<[string, OrganizationEvent[], readonly string[]]>([
    ['no members without a plan of the second line', [], []],
    ['all members while there is no parallel use', [on('second/solo')], [ada, bob]],
    ['all members while parallel use is off', [on('second/solo'), parallel(false)], [ada, bob]],
    ['the flagged members in parallel use', [on('second/solo'), parallel(true)], [bob]],
    ['no members while the product is disabled', [on('second/solo'), disabled], []],
    ['no members after closing', [on('second/solo'), closed], []],
  ])('are %s', (_, events, expected) => {
    expect(notified(...events)).toEqual(expected);
  });
});
