import type { Moment, EventRef } from '@charter/decider';
import { each } from './each';
import { compareEndedSales, lastEndedSale, saleInForce } from './sales/effective-dates';
import { type ActiveSale } from './sales/entries';
import { type SaleStart, startOfSale } from './sales/runs';
import type { Organization, Plan, Purchase } from './state';
import { Feature, ProductLine, Resource, rowOf, SiteFeature, type Terms } from './terms';

/** One reason for a limit or a feature: the kind and the amount of the reason, and the event behind the reason. */
export type EntitlementReason = EventRef & Readonly<{ kind: Kind; what: string; quantity?: number; amount?: number }>;
export const reasonKinds = [
  'plan',
  'add-on',
  'by-hand',
  'always',
  'none',
  'not-in-plan',
  'service-level',
  'hard-limit',
  'override',
  'product',
  'closed',
  'report',
] as const;
type Kind = (typeof reasonKinds)[number];
type Amount = EntitlementReason & Readonly<{ amount: number }>;

/**
 * Infinity means unlimited in this type, so that sums and minima need no special case. Outside of the domain, null
 * means unlimited.
 */
export type LimitState = Readonly<{
  configured: number;
  hard: number;
  /**
   * The limit that decisions enforce: the lower of `configured` and `hard`. While an override is in force, the
   * effective limit is `configured`.
   */
  effective: number;
  overridden: boolean;
  used: number;
  /** The feature that a command needs to add an entry. */
  gate?: Readonly<{ feature: Feature; on: boolean }>;
  because: readonly EntitlementReason[];
}>;
export type FeatureState = Readonly<{ on: boolean; because: readonly EntitlementReason[] }>;
export type Entitlements = Readonly<{
  limits: Readonly<Record<Resource, LimitState>>;
  features: Readonly<Record<Feature, FeatureState>>;
  override: boolean;
}>;

/** All entitlements of an organization at a moment, with their reasons. No other code computes limits and features. */
export function entitlementsOf(organization: Organization, at: Moment): Entitlements {
  const sold = soldTo(organization);
  return {
    limits: each(Resource.options, (resource) => limitOf(resource, organization, at)),
    features: each(Feature.options, (feature) => featureOf(feature, organization, sold)),
    override: overrideOf(organization, at) !== null,
  };
}

/** Computes one limit, because decisions and the most frequent queries need only one. */
export function limitOf(resource: Resource, organization: Organization, at: Moment): LimitState {
  const terms = configuredParts(resource, organization);
  const configured = terms.reduce((sum, { amount }) => sum + amount, 0);
  const hardLimit = hardLimitOf(resource, organization);
  const override = overrideOf(organization, at);
  const { list, gate } = rowOf(resource);
  return {
    configured,
    hard: hardLimit?.amount ?? Infinity,
    effective: override ? configured : Math.min(configured, hardLimit?.amount ?? Infinity),
    overridden: override !== null,
    used: organization.sizes[list],
    ...(gate && { gate: { feature: gate, on: isFeatureOn(gate, organization) } }),
    because: [...terms, ...(hardLimit ? [hardLimit] : []), ...(override ? [override] : [])],
  };
}

/**
 * Computes one feature. A feature is off if nothing grants it, or if something blocks all features. The reasons of a
 * feature that is off name everything that must change before the feature is on (`decisions.md` 30).
 */
export function featureOf(feature: Feature, organization: Organization, sold = soldTo(organization)): FeatureState {
  const blocks = blocksOf(organization);
  const grants = grantsOf(feature, organization, sold);
  const on = blocks.length === 0 && grants.length > 0;
  if (on) return { on, because: grants };
  return { on, because: grants.length > 0 ? blocks : [...blocks, ...lacksOf(feature, organization, sold)] };
}

/** Whether a feature is on. Computes no reasons, because the gate of a limit needs none. */
const isFeatureOn = (feature: Feature, organization: Organization): boolean =>
  blocksOf(organization).length === 0 && grantsOf(feature, organization, soldTo(organization)).length > 0;

/** Whether the feature is off because every feature is off, so that no plan, add-on or service level can turn it on. */
export const isBlocked = ({ because }: FeatureState): boolean =>
  because.some(({ kind }) => kind === 'closed' || kind === 'product');

/** The plans whose limits count: the held plans or, if none is held, the plan that ended last (`decisions.md` 18). */
export function countingPlans(organization: Organization): readonly HeldPlan[] {
  const held = heldPlans(organization);
  if (held.length > 0) return held;
  const last = lastEndedPlan(organization);
  return last ? [heldPlan(last.line, last.sold, organization)] : [];
}

function lastEndedPlan({ plans }: Organization) {
  const ended = ProductLine.options.flatMap((line) => {
    const last = lastEndedSale<Plan>(plans[line]);
    return last ? [{ line, ...last }] : [];
  });
  return ended.sort(compareEndedSales)[0];
}

export const heldPlans = (organization: Organization): readonly HeldPlan[] =>
  ProductLine.options.flatMap((line) => {
    const sold = saleInForce<Plan>(organization.plans[line]);
    return sold ? [heldPlan(line, sold, organization)] : [];
  });
export type HeldPlan = SaleStart &
  Readonly<{ line: ProductLine; plan: string; terms: ActiveSale<Plan>['what']['terms'] }>;

export const purchasesInForce = (organization: Organization): readonly HeldPurchase[] =>
  Object.entries(organization.purchases).flatMap(([purchase, entries]) => {
    const sold = saleInForce<Purchase>(entries);
    return sold ? [{ purchase, ...sold.what, ...startOfSale(entries, sold) }] : [];
  });
export type HeldPurchase = SaleStart & ActiveSale<Purchase>['what'] & Readonly<{ purchase: string }>;

/**
 * The allowed page views a month, according to the more generous plan; Infinity means unlimited (`decisions.md` 9, 11).
 */
export const trafficAllowance = (organization: Organization): number => allowanceOf(organization).amount;

const allowanceOf = (organization: Organization): Amount =>
  mostGenerous(organization, 'plan', ({ trafficPerMonth }) => unlimitedIfZero(trafficPerMonth)) ??
  amountReason('none', 'no plan', Infinity, organization.founded);

/** The newest reported month with its views, and the allowance of page views a month. */
export type TrafficState = Readonly<{
  month: string | null;
  views: number;
  allowance: number;
  /** The month's last report, and the reason of the allowance; empty before the first report. */
  because: readonly EntitlementReason[];
}>;

export function trafficState(organization: Organization): TrafficState {
  const allowed = allowanceOf(organization);
  const month = Object.keys(organization.traffic).sort().at(-1);
  if (month === undefined) return { month: null, views: 0, allowance: allowed.amount, because: [] };
  const views = organization.traffic[month]!;
  const report = amountReason('report', month, views, organization.reports[month]!);
  return { month, views, allowance: allowed.amount, because: [report, allowed] };
}

/**
 * Whether the product of the second product line is on. The last command that enabled or disabled the product decides.
 * If no command has enabled or disabled the product, it is on while the organization holds a plan of the second line
 * (`decisions.md` 23).
 */
export const productEnabled = ({ product, plans }: Organization): boolean =>
  product ? product.enabled : saleInForce<Plan>(plans.second) !== undefined;

/**
 * The features of one site. The site's own value of a feature decides. If the site has no value of its own, the feature
 * is on if it is on in any held plan (`decisions.md` 29). In a closed organization, all features are off.
 */
export function siteFeaturesOf(site: string, organization: Organization): Readonly<Record<SiteFeature, boolean>> {
  const switches = siteSwitchesOf(site, organization);
  return each(SiteFeature.options, (feature) => switches[feature].on);
}

/** A feature of a site: whether the feature is on, the kind of the reason, and the event behind this reason. */
export type SiteFeatureState = EventRef & Readonly<{ on: boolean; because: SiteSwitchReason }>;
export const siteSwitchReasons = ['site', 'plan', 'closed'] as const;
type SiteSwitchReason = (typeof siteSwitchReasons)[number];

/**
 * The features of one site with their reasons. Without a plan, the event is the end of the last plan or the founding.
 */
export function siteSwitchesOf(
  site: string,
  organization: Organization,
): Readonly<Record<SiteFeature, SiteFeatureState>> {
  const { closed, founded } = organization;
  const own = organization.sites[site];
  const plans = heldPlans(organization);
  const switched = (on: boolean, because: SiteSwitchReason, { event, at }: EventRef) => ({ on, because, event, at });
  return each(SiteFeature.options, (feature) => {
    if (closed) return switched(false, 'closed', closed);
    const value = own?.features[feature];
    if (value !== undefined) return switched(value, 'site', own?.switchedBy?.[feature] ?? own!);
    const granting = plans.find(({ terms }) => terms.siteDefaults.features[feature] === true);
    if (granting) return switched(true, 'plan', granting);
    return switched(false, 'plan', plans[0] ?? lastEndedPlan(organization)?.end ?? founded);
  });
}

/**
 * Whether a site's weekly report, monthly report and live mode are on. A setting is on if any held plan turns the
 * setting on. In a closed organization, all three are off.
 */
export const siteDefaultsOf = (organization: Organization) => ({
  report: {
    weekly: anyPlan(organization, ({ siteDefaults }) => siteDefaults.report.weekly),
    monthly: anyPlan(organization, ({ siteDefaults }) => siteDefaults.report.monthly),
  },
  live: anyPlan(organization, ({ siteDefaults }) => siteDefaults.live),
});

/**
 * The override, if it is in force. Decisions ignore an override that has ended, even if no event records its end yet
 * (`decisions.md` 17).
 */
export function overrideOf({ override }: Organization, at: Moment): EntitlementReason | null {
  if (!override || (override.until !== null && override.until <= at)) return null;
  return { kind: 'override', what: override.reason, event: override.event, at: override.at };
}

/**
 * The parts of a configured limit: first the manual limit or, without one, the more generous plan's limit; then every
 * add-on. The sum of Infinity and an add-on is Infinity.
 */
function configuredParts(resource: Resource, organization: Organization): readonly Amount[] {
  const { founded, limitsByHand } = organization;
  const { fixed } = rowOf(resource);
  if (fixed !== undefined) return [{ kind: 'always', what: 'fixed', amount: fixed, ...founded }];

  const byHand = limitsByHand[resource];
  const plan = mostGenerous(organization, 'plan', (terms) => planned(resource, terms));
  const base = byHand
    ? amountReason('by-hand', 'set by hand', unlimitedIfZero(byHand.amount), byHand)
    : (plan ?? amountReason('none', 'no plan', Infinity, founded));
  const bought = purchasesInForce(organization).map(({ addOn, quantity, grants, ...since }) => ({
    ...amountReason('add-on', addOn, quantity * (grants.limits[resource] ?? 0), since),
    quantity,
  }));
  return [base, ...bought.filter(({ amount }) => amount > 0)];
}

const planned = (resource: Resource, { limits, soldOnlyByAddOn }: HeldPlan['terms']) =>
  soldOnlyByAddOn.includes(resource) ? (limits[resource] ?? 0) : unlimitedIfZero(limits[resource]);

/** The hard limit of a resource; null if there is none. A fixed limit has no hard limit. */
function hardLimitOf(resource: Resource, organization: Organization): Amount | null {
  if (rowOf(resource).fixed !== undefined) return null;
  const most = mostGenerous(organization, 'hard-limit', ({ hardLimits }) => unlimitedIfZero(hardLimits[resource]));
  return most && most.amount < Infinity ? most : null;
}

/**
 * The largest amount in the plans of both product lines. If the amounts are equal, the first line's plan is the reason
 * (`decisions.md` 9).
 */
const mostGenerous = (organization: Organization, kind: Kind, amountIn: (terms: HeldPlan['terms']) => number) =>
  countingPlans(organization)
    .map((plan) => amountReason(kind, nameOf(plan), amountIn(plan.terms), plan))
    .reduce<Amount | undefined>((most, offer) => (most && most.amount >= offer.amount ? most : offer), undefined);

/** The held plans and purchases, which are computed once for all features of an answer. */
type Sold = Readonly<{ plans: readonly HeldPlan[]; purchases: readonly HeldPurchase[] }>;
const soldTo = (organization: Organization): Sold => ({
  plans: heldPlans(organization),
  purchases: purchasesInForce(organization),
});

/** All grants of a feature: by held plans of either product line, by purchases, and by the service level. */
function grantsOf(
  feature: Feature,
  { serviceLevel }: Organization,
  { plans, purchases }: Sold,
): readonly EntitlementReason[] {
  const served = feature === FEATURE_OF_SERVICE_LEVELS && serviceLevel.level !== 'none';
  return [
    ...plans.filter(({ terms }) => planGrants(terms, feature)).map((plan) => reason('plan', nameOf(plan), plan)),
    ...purchases
      .filter(({ grants }) => grants.features.includes(feature))
      .map((purchase) => reason('add-on', purchase.addOn, purchase)),
    ...(served ? [reason('service-level', serviceLevel.level, serviceLevel)] : []),
  ];
}

/** Whether the terms of a plan turn a feature on. */
export const planGrants = ({ features, organizationDefaults }: Terms, feature: Feature): boolean =>
  features.includes(feature) || (feature === 'multiSite' && organizationDefaults.features.multiSite);

/** The feature that every service level except `none` turns on (`decisions.md` 12). */
export const FEATURE_OF_SERVICE_LEVELS: Feature = 'chatSupport';

/**
 * The reasons why nothing grants a feature: no held plan and no service level includes the feature, or the organization
 * holds no plan.
 */
function lacksOf(feature: Feature, organization: Organization, { plans }: Sold): readonly EntitlementReason[] {
  const { founded, serviceLevel } = organization;
  const level = () => reason('service-level', 'none', serviceLevel.event < 0 ? founded : serviceLevel);
  return [
    ...(plans.length > 0
      ? plans.map((plan) => reason('not-in-plan', nameOf(plan), plan))
      : [reason('none', 'no plan', lastEndedPlan(organization)?.end ?? founded)]),
    ...(feature === FEATURE_OF_SERVICE_LEVELS ? [level()] : []),
  ];
}

/** The reasons that switch off every feature: the organization is closed, or the product was disabled. */
const blocksOf = ({ closed, product }: Organization): readonly EntitlementReason[] => [
  ...(closed ? [reason('closed', closed.reason, closed)] : []),
  ...(product && !product.enabled ? [reason('product', 'disabled', product)] : []),
];

const anyPlan = (organization: Organization, isOnIn: (terms: HeldPlan['terms']) => boolean | undefined) =>
  organization.closed === null && heldPlans(organization).some(({ terms }) => isOnIn(terms) === true);

const heldPlan = (line: ProductLine, sold: ActiveSale<Plan>, { plans }: Organization): HeldPlan => ({
  line,
  ...sold.what,
  ...startOfSale<Plan>(plans[line], sold),
});

const unlimitedIfZero = (amount: number | undefined) => amount || Infinity;
const nameOf = ({ line, plan }: HeldPlan) => `${line}/${plan}`;
const reason = (kind: Kind, what: string, { event, at }: EventRef): EntitlementReason => ({ kind, what, event, at });
const amountReason = (kind: Kind, what: string, amount: number, { event, at }: EventRef): Amount => ({
  kind,
  what,
  amount,
  event,
  at,
});
