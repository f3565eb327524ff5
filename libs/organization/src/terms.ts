import type { Immutable } from '@charter/decider';
import { z } from 'zod';
import { each, keysOf } from './each';

/** The two product lines (`decisions.md` 1). An organization may hold one plan in each line. */
export const ProductLine = z.enum(['first', 'second']);
export type ProductLine = z.infer<typeof ProductLine>;

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

/** The features that can be switched on for a single site (`specification.md` §3, siteDefaults). */
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

export const MemberRole = z.enum(['owner', 'admin', 'member']);
export type MemberRole = z.infer<typeof MemberRole>;

/**
 * Which site features are on or off. A plan contains its defaults in this form, and a site contains its own values. A
 * feature that is absent has no value.
 */
const SiteFeatures = z.partialRecord(SiteFeature, z.boolean());
export type SiteFeatures = z.infer<typeof SiteFeatures>;

/**
 * The lists whose entries count for limits, and the fields of their entries. In the state, an entry also refers to its
 * events.
 */
export const listEntries = {
  members: z.strictObject({ role: MemberRole, productUser: z.boolean() }),
  sites: z.strictObject({ hostname: z.string(), name: z.string(), features: SiteFeatures }),
  qualityAssurance: z.strictObject({ hostname: z.string() }),
  webAnalytics: z.strictObject({ hostname: z.string() }),
};
export type ListEntries = { [L in keyof typeof listEntries]: z.infer<(typeof listEntries)[L]> };

/** The properties of a resource that has a limit. */
type ResourceRow = Readonly<{
  /** The list whose entries count as the use of the resource. */
  list: keyof ListEntries;
  /**
   * The name of one entry in code: the name of the field with the entry's id, and the end of the refusal reason
   * `no-such-…`.
   */
  entry: string;
  /** The plural noun that refusals use in sentences. */
  plural: string;
  /** The feature that must be on before a command can add an entry (`decisions.md` 7). */
  gate?: Feature;
  /** The amount of a fixed limit, which plans, add-ons and people cannot change. */
  fixed?: number;
}>;

/** All resources that have limits (`specification.md` §3, limits). The console has a translation for each resource. */
export const resources = {
  users: { list: 'members', entry: 'member', plural: 'users' },
  contentSections: { list: 'sites', entry: 'site', plural: 'content sections' },
  qualityAssuranceDomains: {
    list: 'qualityAssurance',
    entry: 'domain',
    plural: 'quality-assurance domains',
    gate: 'qualityAssurance',
  },
  webAnalyticsDomains: {
    list: 'webAnalytics',
    entry: 'domain',
    plural: 'web-analytics domains',
    gate: 'webAnalytics',
    fixed: 1_000, // "fixed at 1000 and never reached" (`specification.md` §9)
  },
} as const satisfies Readonly<Record<string, ResourceRow>>;

export const Resource = z.enum(keysOf(resources));
export type Resource = z.infer<typeof Resource>;
type Term<Of extends Resource> = (typeof resources)[Of];

export type List = Term<Resource>['list'];
/** The noun for an entry of a list. */
export type Entry = Term<Resource>['entry'];
export const entries: readonly Entry[] = Resource.options.map((resource) => resources[resource].entry);
/** The lists of domains. A new entry needs the feature with the list's name (`decisions.md` 7). */
export const domainLists = ['qualityAssurance', 'webAnalytics'] as const satisfies readonly List[];
export type DomainList = (typeof domainLists)[number];
/** The resources whose limits a person can configure. */
export type ResourceByHand = { [Of in Resource]: Term<Of> extends { fixed: number } ? never : Of }[Resource];

export const rowOf = (resource: Resource): ResourceRow & Readonly<{ list: List }> => resources[resource];
export const lists: readonly List[] = Resource.options.map((resource) => resources[resource].list);

export const isList = (field: string): field is List => lists.some((list) => list === field);

/** The resource whose use is the number of entries in this list. */
export const resourceOfList = (list: List): Resource =>
  Resource.options.find((resource) => resources[resource].list === list)!;

export const resourcesByHand = Resource.options.filter(
  (resource): resource is ResourceByHand => rowOf(resource).fixed === undefined,
);

export const ServiceLevel = z.enum(['none', 'assisted', 'turnkey']);
export type ServiceLevel = z.infer<typeof ServiceLevel>;

/** A limit; 0 and absent mean unlimited (`decisions.md` 4). */
const Amount = z.int().min(0);
const Limits = z.strictObject(each(Resource.options, () => Amount.optional()));
/**
 * The terms of a plan at its sale. `PlanAssigned` contains the terms, so a replay reads no catalogue (`decisions.md`
 * 3).
 */
export const Terms = z.strictObject({
  limits: Limits,
  hardLimits: Limits,
  /**
   * Resources that only add-ons sell. For a resource that only add-ons sell, a limit of 0 means that the plan without
   * add-ons includes none (`decisions.md` 5, 21).
   */
  soldOnlyByAddOn: z.array(Resource),
  /**
   * The allowed page views a month. Charter counts and shows page views, and never refuses anything because of page
   * views (`decisions.md` 11).
   */
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

/** The grants of one unit of an add-on; `AddOnPurchased` contains them. */
export const Grants = z.strictObject({ limits: Limits, features: z.array(Feature) });
export type Grants = Immutable<z.infer<typeof Grants>>;

/**
 * A list in new terms is at most as long as the list of all values. The schemas of events have no maximum length for
 * lists. After a product has lost a feature, the schemas of events must still accept every recorded event.
 */
const features = z.array(Feature).max(Feature.options.length);
/** The terms that a command or the catalogue's file may contain. */
export const NewTerms = Terms.extend({ features, soldOnlyByAddOn: z.array(Resource).max(Resource.options.length) });
/** The grants that a command or the catalogue's file may contain. */
export const NewGrants = Grants.extend({ features });
