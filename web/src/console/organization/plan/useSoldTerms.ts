import type { Catalogue, EventPage, OrganizationDocument } from '@charter/client';
import { useEventQuery, useStandingQuery } from '../../api';
import type { FirstLoad } from '../../page-parts/answer-of';

export const productLines = ['first', 'second'] as const;
type ProductLine = (typeof productLines)[number];
/** The terms of a plan, in the form that they have both in the catalogue and in the event of a sale. */
export type PlanTerms = Pick<
  Catalogue['plans'][number]['terms'],
  'limits' | 'hardLimits' | 'soldOnlyByAddOn' | 'trafficPerMonth' | 'features' | 'siteDefaults'
>;

/** The terms of a plan that an organization holds, from the event that sold it. */
export type SoldTerms = Readonly<{
  /** Undefined while the event is not loaded, or if the person may not read the history. */
  terms: PlanTerms | undefined;
  /** Requests the event again. Defined only if the event is unavailable. */
  retry: (() => unknown) | undefined;
}> &
  FirstLoad;

/**
 * The terms as sold of the plans in both product lines. Only the events of the sales contain these terms, so the person
 * needs the right to audit.
 */
export function useSoldTerms(
  id: string,
  document: OrganizationDocument | undefined,
): Readonly<Record<ProductLine, SoldTerms>> {
  const first = useTermsOf(id, document?.since.plans.first?.event);
  const second = useTermsOf(id, document?.since.plans.second?.event);
  return { first, second };
}

function useTermsOf(id: string, event: number | undefined): SoldTerms {
  const { data: standing } = useStandingQuery(id);
  const mayRead = standing?.reads.includes('history') === true;
  const { data, currentData, isLoading, error, refetch } = useEventQuery(
    { id, revision: event ?? 0 },
    { skip: event === undefined || !mayRead },
  );
  const retry = error !== undefined && !currentData ? refetch : undefined;
  return { terms: event === undefined ? undefined : termsIn(data, event), isLoading, error, retry };
}

function termsIn(page: EventPage | undefined, revision: number): PlanTerms | undefined {
  const event = page?.events.find((one) => one.revision === revision);
  return event?.type === 'PlanAssigned' ? (event.data?.['terms'] as PlanTerms | undefined) : undefined;
}
