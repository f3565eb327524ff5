import type { Limit, Offer, PreviewReason } from '@charter/client';
import type { ReactNode } from 'react';
import { useCatalogueQuery } from '../../../api';
import { reasonOfProblem, type RefusalProblem } from '../../../commands/refusal-words';
import type { DraftCommand } from '../../../draft/address/draft-address';
import { isHeldOffer } from '../../../overview/feature-reasons';
import type { LimitedResource } from '../../../overview/Limits';
import { LimitWhy } from '../../../overview/Why';
import { TryOffers } from '../../lists/TryOffers';
import { addOnFor, isAtHardLimit, TryMore } from './TryMore';

type HelpOf = Readonly<{
  id: string;
  problem: RefusalProblem;
  /**
   * Returns the button that inserts a command into a draft before the refused command. If absent, the page shows links
   * to try the change on the plan page.
   */
  before?: ((command: DraftCommand) => ReactNode) | undefined;
}>;

/**
 * For a command that a limit or a missing feature forbids: how the limit is computed, and the plans and add-ons that
 * would help. Empty for other refusals.
 */
export function RefusalHelp({ id, problem, before }: HelpOf) {
  const { data: catalogue } = useCatalogueQuery(undefined);
  const limit = limitIn(problem);
  if (limit) {
    const addOn = isAtHardLimit(limit) ? undefined : addOnFor(catalogue, limit.resource);
    const isAdded = before !== undefined && addOn !== undefined;
    return (
      <>
        <LimitWhy limit={limit} />
        {isAdded ? (
          before({ type: 'PurchaseAddOn', data: { addOn, quantity: 1 } })
        ) : (
          <TryMore {...{ id, limit }} resource={limit.resource} />
        )}
      </>
    );
  }
  const offers = offersIn(problem);
  if (!offers) return null;
  const { because, today } = offers;
  if (!before) return <TryOffers id={id} feature={{ on: false, because }} offers={today} />;
  return today.filter((offer) => !isHeldOffer(offer, because)).map((offer) => before(commandOf(offer)));
}

/** The limit in a refusal, with the amounts of which it is the sum; undefined if the refusal has another reason. */
function limitIn(problem: RefusalProblem): (SummedLimit & Readonly<{ resource: LimitedResource }>) | undefined {
  const { limit, allowed, hard, because } = problem;
  if (reasonOfProblem(problem) !== 'limit-exceeded' || typeof limit !== 'string' || !Array.isArray(because))
    return undefined;
  const reasons = because as Limit['because'];
  const amounts = reasons.flatMap(({ kind, amount }) => (kind === 'hard-limit' || kind === 'override' ? [] : [amount]));
  const isFinite = amounts.every((amount) => typeof amount === 'number');
  return {
    resource: limit as LimitedResource,
    because: reasons,
    configured: isFinite ? amounts.reduce((sum, amount) => sum + amount, 0) : null,
    ...{ hard: typeof hard === 'number' ? hard : null, limit: typeof allowed === 'number' ? allowed : null },
    overridden: reasons.some(({ kind }) => kind === 'override'),
  };
}
type SummedLimit = Parameters<typeof LimitWhy>[0]['limit'];

/** Why a feature is off, and the offers that would turn the feature on; undefined if the refusal has another reason. */
function offersIn(problem: RefusalProblem) {
  const { because, today } = problem;
  if (reasonOfProblem(problem) !== 'feature-off' || !Array.isArray(because) || !Array.isArray(today)) return undefined;
  return { because: because as readonly PreviewReason[], today: today as readonly Offer[] };
}

/** The command that assigns or buys an offer: a plan, an add-on or a service level. */
function commandOf({ kind, what }: Offer): DraftCommand {
  if (kind === 'add-on') return { type: 'PurchaseAddOn', data: { addOn: what, quantity: 1 } };
  if (kind === 'service-level') return { type: 'AssignServiceLevel', data: { serviceLevel: what } };
  const [line, plan] = what.split('/');
  return { type: 'AssignPlan', data: { line, plan } };
}
