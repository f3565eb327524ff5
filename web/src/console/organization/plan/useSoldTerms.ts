import type { Catalogue, Entitlements, EventPage, OrganizationDocument } from '@charter/client';
import { useEventQuery, useStandingQuery } from '../../api';

export const productLines = ['first', 'second'] as const;
type ProductLine = (typeof productLines)[number];
/** The terms of a plan, as a sale records them and as the catalogue prints them. */
export type PlanTerms = Pick<
  Catalogue['plans'][number]['terms'],
  'limits' | 'hardLimits' | 'soldOnlyByAddOn' | 'trafficPerMonth' | 'features' | 'siteDefaults'
>;

/** A plan that an organization holds, with the event that sold it. */
export type SoldTerms = Readonly<{
  /** The revision of the event; undefined if no answer names it. */
  event: number | undefined;
  /** Undefined while the event is not loaded, or if the person may not read the history. */
  terms: PlanTerms | undefined;
  failed: boolean;
}>;

type Answers = Readonly<{ document: OrganizationDocument | undefined; entitlements: Entitlements | undefined }>;

/** The terms of both lines as sold. Only the event of the sale contains them, so they take the right to audit. */
export function useSoldTerms(id: string, held: Answers): Readonly<Record<ProductLine, SoldTerms>> {
  const first = useTermsOf(id, 'first', held);
  const second = useTermsOf(id, 'second', held);
  return { first, second };
}

function useTermsOf(id: string, line: ProductLine, held: Answers): SoldTerms {
  const { data: standing } = useStandingQuery(id);
  const mayRead = standing?.reads.includes('history') === true;
  const event = saleOf(line, held);
  const { data, isError } = useEventQuery({ id, revision: event ?? 0 }, { skip: event === undefined || !mayRead });
  return { event, terms: event === undefined ? undefined : termsIn(data, event), failed: isError };
}

/** The revision of the event that sold the plan of a line. */
function saleOf(line: ProductLine, { document, entitlements }: Answers): number | undefined {
  const plan = document?.plans[line];
  if (!plan) return undefined;
  const named = (document as SinceDocument | undefined)?.since?.plans[line]?.event;
  if (named !== undefined || !entitlements) return named;
  const { limits, features } = entitlements;
  return [...Object.values(limits), ...Object.values(features)]
    .flatMap(({ because }) => because)
    .find(({ kind, what }) => kinds.includes(kind) && what === `${line}/${plan.plan}`)?.event;
}
const kinds = ['plan', 'not-in-plan', 'hard-limit'];
type SinceDocument = Readonly<{ since?: { plans: Readonly<Record<ProductLine, { event: number } | null>> } }>;

function termsIn(page: EventPage | undefined, revision: number): PlanTerms | undefined {
  const event = page?.events.find((one) => one.revision === revision);
  return event?.type === 'PlanAssigned' ? (event.data?.['terms'] as PlanTerms | undefined) : undefined;
}
