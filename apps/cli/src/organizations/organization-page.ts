import type { Folded, Moment } from '@charter/decider';
import {
  type EntitlementReason,
  type Entitlements,
  entitlementsOf,
  heldPlans,
  type LimitState,
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

/** An organization in the form that the HTTP interface prints, and as text. Undefined if it was never founded. */
export function organizationPage(
  id: string,
  folded: Folded<Organization>,
  at: Moment,
  product: Product,
): CommandAnswer | undefined {
  if (folded.state.name === '') return undefined;
  const entitled = entitlementsOf(folded.state, at);
  const text = [facts(id, folded, product), limits(entitled), features(entitled)].join('\n\n');
  return {
    text,
    json: {
      organization: publicDocument(id, product.productKey)(folded, at),
      entitlements: entitlements(id)(folded, at),
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

const features = (entitled: Entitlements) =>
  table(
    ['FEATURE', 'IS', 'BECAUSE'],
    Object.entries(entitled.features).map(([feature, { on, because }]) => [
      feature,
      on ? 'on' : 'off',
      reasons(because) || '-',
    ]),
  );

/** The reasons as text, for example `plan second/solo = 1 (event 1), add-on additionalUser x 3 = 3 (event 2)`. */
const reasons = (because: readonly EntitlementReason[]) => because.map(reason).join(', ');

const reason = ({ kind, what, quantity, amount, event }: EntitlementReason) =>
  [
    kind === 'by-hand' || kind === 'none' || kind === 'always' ? what : `${kind} ${what}`,
    ...(quantity === undefined ? [] : [`x ${quantity}`]),
    ...(amount === undefined ? [] : [`= ${amountText(amount)}`]),
    `(event ${event})`,
  ].join(' ');
