import type { Immutable } from '@charter/decider';
import { z } from 'zod';

/** The two product lines (`decisions.md` 1). An organization may hold one plan of each. */
export const Line = z.enum(['first', 'second']);
export type Line = z.infer<typeof Line>;

/** What is counted (`specification.md` §3, limits). */
export const Resource = z.enum(['users', 'contentSections', 'qualityAssuranceDomains', 'webAnalyticsDomains']);
export type Resource = z.infer<typeof Resource>;

/** The seventeen features of the second product line (`specification.md` §3). */
export const Feature = z.enum([
  'multiSite',
  'multiUser',
  'emailNotifications',
  'feedback',
  'feedbackAssigning',
  'feedbackLabeling',
  'feedbackNotes',
  'buttonToolGeneral',
  'buttonToolSentiment',
  'buttonToolAfterReactions',
  'buttonToolHistory',
  'significantChangesReport',
  'matomoIntegration',
  'disableAISummary',
  'qualityAssurance',
  'webAnalytics',
  'chatSupport',
]);
export type Feature = z.infer<typeof Feature>;

/** What a site can have switched on (`specification.md` §3, siteDefaults). */
export const SiteFeature = z.enum([
  'customCTAs',
  'integrations',
  'live',
  'logo',
  'reports',
  'timeFilter',
  'timeFilterMigrated',
  'userInputs',
  'floatingShareButtons',
  'anonymizeFeedback',
]);
export type SiteFeature = z.infer<typeof SiteFeature>;

export const ServiceLevel = z.enum(['none', 'assisted', 'turnkey']);
export type ServiceLevel = z.infer<typeof ServiceLevel>;

/** A limit: 0 and absent mean unlimited when a count is checked (`decisions.md` 4). */
const Amount = z.int().min(0);
const Limits = z.strictObject({
  users: Amount.optional(),
  contentSections: Amount.optional(),
  qualityAssuranceDomains: Amount.optional(),
  webAnalyticsDomains: Amount.optional(),
});
const SiteFeatures = z.partialRecord(SiteFeature, z.boolean());

/** The terms of a plan, as sold. They travel in `PlanAssigned`, so that no replay ever asks today's catalogue (`decisions.md` 3). */
export const Terms = z.strictObject({
  limits: Limits,
  hardLimits: Limits,
  /** Resources that add-ons alone sell: there 0 is where counting starts, not "unlimited" (`decisions.md` 5, 21). */
  soldOnlyByAddOn: z.array(Resource),
  /** Page views a month; measured and shown, never blocking (`decisions.md` 11). */
  trafficPerMonth: Amount,
  features: z.array(Feature),
  siteDefaults: z.strictObject({
    features: SiteFeatures,
    report: z.strictObject({ weekly: z.boolean(), monthly: z.boolean() }),
    live: z.boolean(),
  }),
  organizationDefaults: z.strictObject({ features: z.strictObject({ multiSite: z.boolean() }) }),
  customSetDefaults: z.strictObject({ features: z.strictObject({ logo: z.boolean(), integrations: z.boolean() }) }),
});
export type Terms = Immutable<z.infer<typeof Terms>>;

/** What one unit of an add-on grants. Travels in `AddOnPurchased`. */
export const Grants = z.strictObject({ limits: Limits, features: z.array(Feature) });
export type Grants = Immutable<z.infer<typeof Grants>>;
