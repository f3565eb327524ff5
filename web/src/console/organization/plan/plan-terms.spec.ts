import { featuresOf, hardLimitIn, limitIn, resourcesIn, trafficIn } from './plan-terms';
import type { PlanTerms } from './useSoldTerms';

const terms: PlanTerms = {
  limits: { users: 5, contentSections: 0, qualityAssuranceDomains: 0 },
  hardLimits: { users: 10 },
  soldOnlyByAddOn: ['qualityAssuranceDomains'],
  trafficPerMonth: 0,
  features: ['multiUser', 'feedback'],
  siteDefaults: { features: {}, report: { weekly: false, monthly: false }, live: true },
};

describe('The terms of a plan', () => {
  it('with the amount 0 for a resource set no limit, except for a resource that only add-ons sell', () => {
    expect(limitIn(terms, 'users')).toBe(5);
    expect(limitIn(terms, 'contentSections')).toBeNull();
    expect(limitIn({ ...terms, limits: {} }, 'users')).toBeNull();
    expect(limitIn(terms, 'qualityAssuranceDomains')).toBe(0);
    expect(trafficIn(terms)).toBeNull();
  });

  it('contain a hard limit only for the resources for which it is set', () => {
    expect(hardLimitIn(terms, 'users')).toBe(10);
    expect(hardLimitIn(terms, 'contentSections')).toBeNull();
  });

  it('list each resource with a limit or a hard limit, and each resource that only add-ons sell', () =>
    expect(resourcesIn([terms, { ...terms, limits: {}, hardLimits: { webAnalyticsDomains: 1 } }])).toEqual([
      'users',
      'contentSections',
      'qualityAssuranceDomains',
      'webAnalyticsDomains',
    ]));

  it('list each feature of two plans once', () => {
    expect(featuresOf(terms, { ...terms, features: ['feedback', 'webAnalytics'] })).toEqual([
      'multiUser',
      'feedback',
      'webAnalytics',
    ]);
    expect(featuresOf(undefined)).toEqual([]);
  });
});
