import type { Folded, Moment } from '@charter/decider';
import {
  type Catalogue,
  type EntitlementReason,
  type Entitlements,
  entitlementsOf,
  Feature,
  heldPlans,
  type LimitState,
  nameOfOffer,
  type Offer,
  offersFor,
  type Organization,
  productEnabled,
  purchasesInForce,
} from '@charter/organization';
import { entitlements, publicDocument } from '@charter/organization-view';
import type { Settings } from '@charter/settings';
import type { CommandAnswer } from '../terminal/command-answer';
import { amountText, countText } from '../terminal/amounts';
import { pairs, table } from '../terminal/table';

type Product = Pick<Settings, 'productName' | 'productKey'>;
type Selling = Readonly<{ catalogue: Catalogue; settings: Product }>;

/**
 * An organization in the form that the HTTP interface prints, and as text. Undefined if the organization was never
 * founded.
 */
export function organizationPage(
  id: string,
  folded: Folded<Organization>,
  at: Moment,
  { catalogue, settings: product }: Selling,
): CommandAnswer | undefined {
  if (folded.state.name === '') return undefined;
  const entitled = entitlementsOf(folded.state, at);
  const today = offersToday(entitled, catalogue);
  const text = [facts(id, folded, product), limits(entitled), features(entitled, today)].join('\n\n');
  return {
    text,
    json: {
      organization: publicDocument(id, product.productKey)(folded, at),
      entitlements: entitlements(id)(folded, at),
      today,
    },
  };
}

const facts = (id: string, { state, revision, at }: Folded<Organization>, { productName }: Product) =>
  pairs([
    ['organization', `${state.name}${state.closed ? ' (closed)' : ''}`],
    ['id', id],
    ['revision', `${revision}, recorded ${at}`],
    ['plans', heldPlans(state).map(spokenPlan).join(', ') || 'none'],
    ['add-ons', purchasesInForce(state).map(spokenPurchase).join(', ') || 'none'],
    ['service level', state.serviceLevel.level],
    [productName, `${productEnabled(state) ? 'on' : 'off'}${state.parallelUse ? ', in parallel use' : ''}`],
    ['members', spokenMembers(state)],
  ]);

const spokenPlan = ({ line, plan, effectiveAt }: ReturnType<typeof heldPlans>[number]) =>
  `${line}/${plan} since ${effectiveAt}`;

const spokenPurchase = ({ addOn, quantity }: ReturnType<typeof purchasesInForce>[number]) => `${quantity} x ${addOn}`;

function spokenMembers({ members }: Organization) {
  const roles = Object.values(members).map(({ role }) => role);
  const counts = (['owner', 'admin', 'member'] as const)
    .map((role) => [roles.filter((one) => one === role).length, role] as const)
    .filter(([count]) => count > 0);
  return counts.map(([count, role]) => countText(count, role)).join(', ') || 'none';
}

const limits = (entitled: Entitlements) =>
  table(
    ['LIMIT OF', 'LIMIT', 'USED', 'LEFT', 'OVER', 'BECAUSE'],
    Object.entries(entitled.limits).map(([resource, limit]) => [resource, ...figures(limit), reasons(limit.because)]),
  );

/**
 * The numbers of a limit as text. If the feature that the limit requires is off, 0 units are left (`decisions.md` 7).
 */
function figures({ effective, used, gate }: LimitState): string[] {
  const left = gate?.on === false ? 0 : Math.max(0, effective - used);
  return [...[effective, used, left].map(amountText), used > effective ? String(used - effective) : '-'];
}

type Offers = Readonly<{ [feature in Feature]?: readonly Offer[] }>;

/** For each feature that is off, the offers of today's catalogue that would turn it on. */
const offersToday = ({ features }: Entitlements, catalogue: Catalogue): Offers =>
  Object.fromEntries(
    Feature.options
      .filter((feature) => !features[feature].on)
      .map((feature) => [feature, offersFor(feature, features[feature], catalogue)]),
  );

const features = (entitled: Entitlements, today: Offers) =>
  table(
    ['FEATURE', 'IS', 'BECAUSE', "TODAY'S CATALOGUE WOULD TURN IT ON WITH"],
    Feature.options.map((feature) => [
      feature,
      entitled.features[feature].on ? 'on' : 'off',
      reasons(entitled.features[feature].because),
      today[feature]?.map((offer) => nameOfOffer(offer, entitled.features[feature])).join(', ') || '-',
    ]),
  );

/** The reasons as text, for example `plan second/solo = 1 (event 1), add-on additionalUser x 3 = 3 (event 2)`. */
const reasons = (because: readonly EntitlementReason[]) => because.map(reason).join(', ');

const reason = ({ kind, what, quantity, amount, event }: EntitlementReason) =>
  [
    kind === 'by-hand' || kind === 'none' || kind === 'always' ? what : `${spokenKinds[kind] ?? kind} ${what}`,
    ...(quantity === undefined ? [] : [`x ${quantity}`]),
    ...(amount === undefined ? [] : [`= ${amountText(amount)}`]),
    `(event ${event})`,
  ].join(' ');

const spokenKinds: { readonly [kind in EntitlementReason['kind']]?: string } = { 'not-in-plan': 'not in' };
