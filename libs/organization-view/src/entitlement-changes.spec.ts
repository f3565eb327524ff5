import { overriddenUntil } from '../../organization/src/testing/entitled.testing';
import { ada, added, bob, bought, now, on, overridden } from '../../organization/src/testing/organization.testing';
import { changesBetween } from './entitlement-changes';
import { foldedAcme } from './folded.testing';

describe('Changes between two states', () => {
  it('are empty when nothing differs', () => {
    const nothing = { limits: {}, features: { gained: [], lost: [] } };
    expect(changesBetween(foldedAcme(on('second/solo')), foldedAcme(on('second/solo')), now)).toEqual(nothing);
  });

  it('contain only the limits that differ', () => {
    const { limits } = changesBetween(foldedAcme(on('second/solo')), foldedAcme(on('second/teams')), now);
    expect(Object.keys(limits)).toEqual(['users', 'contentSections']);
    expect(limits.users).toEqual({
      before: { limit: 1, used: 0, over: 0 },
      after: { limit: 5, used: 0, over: 0 },
    });
  });

  it('contain null for an unlimited limit', () => {
    const { limits } = changesBetween(foldedAcme(), foldedAcme(on('second/solo')), now);
    expect(limits.users).toMatchObject({ before: { limit: null }, after: { limit: 1 } });
  });

  it('show by how many units the organization is over its limit after a change to a smaller plan', () => {
    const team = [on('second/teams'), added(ada), added(bob)];
    const { limits } = changesBetween(foldedAcme(...team), foldedAcme(...team, on('second/solo')), now);
    expect(limits.users).toEqual({ before: { limit: 5, used: 2, over: 0 }, after: { limit: 1, used: 2, over: 1 } });
  });

  it('list gained and lost features', () => {
    const { features } = changesBetween(foldedAcme(on('second/teams')), foldedAcme(bought(1, 'webAnalytics')), now);
    expect(features).toEqual({ gained: ['multiUser', 'webAnalytics'], lost: ['feedback', 'matomoIntegration'] });
  });

  it('depend on the moment: an override that has already ended makes no change', () => {
    const bigger = [on('second/solo'), bought(3, 'additionalUser')];
    expect(
      changesBetween(foldedAcme(...bigger), foldedAcme(...bigger, overridden), now).limits.users?.after.limit,
    ).toBe(4);
    expect(changesBetween(foldedAcme(...bigger), foldedAcme(...bigger, overriddenUntil(now)), now).limits).toEqual({});
  });
});
