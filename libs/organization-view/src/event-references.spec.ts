import { type Recorded, deepCopy } from '@charter/decider';
import { changedPart, type List, lists, type OrganizationEvent } from '@charter/organization';
import fc from 'fast-check';
import { anyLife } from '../../organization/src/testing/any-history.testing';
import { ended, now, on, closed } from '../../organization/src/testing/organization.testing';
import { foldedAcme, foldedTo } from './folded.testing';
import { entitlements } from './printed-entitlements';
import { publicDocument } from './public-document';

type Events = readonly Recorded<OrganizationEvent>[];
const documentOf = (...events: OrganizationEvent[]) => publicDocument('acme', 'pulse')(foldedAcme(...events), now);

/** The reference to the last event for which `fits` is true, in the form that documents print. */
function last(events: Events, fits: (event: OrganizationEvent) => boolean) {
  const event = events.findLast(fits);
  return event && { event: event.revision, at: event.metadata.at };
}
/** Whether an event adds an entry to a list. Two lists may contain entries with the same id. */
function adds(event: OrganizationEvent, list: List, id: string): boolean {
  const [field, entry] = changedPart(event);
  return event.type.endsWith('Added') && field === list && entry === id;
}
const changedSite = (events: Events, site: string, feature: string) => {
  const values = events.flatMap((event) => {
    const { type, data, revision } = event;
    if (type === 'SiteAdded' && data.site === site) return [{ revision, value: undefined }];
    if (type !== 'SiteFeaturesChanged' || data.site !== site) return [];
    return [{ revision, value: (data.features as Record<string, boolean>)[feature] }];
  });
  return values.findLast(({ value }, index) => values[index - 1]?.value !== value)?.revision;
};

describe('Document', () => {
  it('names the event that added each entry, and the event that gave each member the role, for any history', () => {
    fc.assert(
      fc.property(anyLife, ({ events }) => {
        const current = foldedTo(events.map((event) => deepCopy(event)));
        const document = publicDocument('acme', 'pulse')(current, current.at);
        for (const list of lists) {
          const printed = document[list];
          for (const { _id, since } of 'domains' in printed ? printed.domains : printed)
            expect([list, since]).toEqual([list, last(events, (event) => adds(event, list, _id))]);
        }
        for (const { _id, roleSince } of document.members) {
          const gaveRole = ({ type, data }: OrganizationEvent) =>
            (type === 'MemberAdded' || type === 'MemberRoleChanged') && data.member === _id;
          expect(roleSince).toEqual(last(events, gaveRole));
        }
        for (const { _id } of document.sites) {
          for (const [feature, by] of Object.entries(current.state.sites[_id]!.switchedBy ?? {}))
            expect([feature, by.event]).toEqual([feature, changedSite(events, _id, feature)]);
        }
        const { revision, metadata } = events.at(-1)!;
        expect([document.revision, document.at, document.founded]).toEqual([
          revision,
          metadata.at,
          { event: 0, at: events[0]!.metadata.at },
        ]);
      }),
      { numRuns: 60 },
    );
  });

  it('names the event that began the plan of each product line, and the event that began the service level', () => {
    expect(documentOf().since).toEqual({
      plans: { first: null, second: null },
      serviceLevel: { event: 0, at: now },
    });
    const served: OrganizationEvent = { type: 'ServiceLevelAssigned', data: { serviceLevel: 'assisted' } };
    const renewed = documentOf(on('second/solo'), on('second/solo'), served);
    expect(renewed.since).toEqual({
      plans: { first: null, second: { event: 1, at: now } },
      serviceLevel: { event: 3, at: now },
    });
    expect(documentOf(on('second/solo'), ended('second')).since.plans.second).toBeNull();
  });

  it('contains the reason and the event of a closing until the organization is reopened', () => {
    const reopened: OrganizationEvent = { type: 'OrganizationReopened', data: { reason: 'back' } };
    expect(documentOf().closure).toBeNull();
    expect(documentOf(closed).closure).toEqual({ reason: 'moved away', event: 1, at: now });
    expect(documentOf(closed, reopened)).toMatchObject({ closed: false, closure: null });
  });
});

describe('Traffic', () => {
  const reported = (month: string, views: number): OrganizationEvent => ({
    type: 'TrafficReported',
    data: { month, views },
  });
  const trafficOf = (...events: OrganizationEvent[]) => entitlements('acme')(foldedAcme(...events), now).traffic;

  it('has the last report of the newest month and the allowance as reasons', () => {
    const events = [on('second/solo'), reported('2026-10', 1), reported('2026-11', 2), reported('2026-11', 3)];
    expect(trafficOf(...events, reported('2026-09', 9)).because).toEqual([
      { kind: 'report', what: '2026-11', amount: 3, event: 4, at: now },
      { kind: 'plan', what: 'second/solo', amount: 100_000, event: 1, at: now },
    ]);
    expect(trafficOf(reported('2026-11', 3)).because).toEqual([
      { kind: 'report', what: '2026-11', amount: 3, event: 1, at: now },
      { kind: 'none', what: 'no plan', amount: null, event: 0, at: now },
    ]);
  });

  it('has no reasons before the first report', () => {
    expect(trafficOf(on('second/solo'))).toMatchObject({ month: null, allowance: 100_000, because: [] });
  });
});
