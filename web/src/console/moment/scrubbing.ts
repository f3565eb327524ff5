import type { Entitlements, OrganizationDocument } from '@charter/client';
import { createContext, useContext } from 'react';
import { useEntitlementsQuery, useOrganizationQuery } from '../api';
import { type DocumentList, hasDomains, listsIn } from '../document-lists';
import type { RevisionAnswers } from './steps/blocks';
import { isPastMoment, PRESENT } from './page-moment';
import { isFirstLoad } from '../page-parts/answer-of';
import { usePageMoment } from './usePageMoment';

/** The document and the entitlements that the page shows while a person moves the time bar; undefined at rest. */
export type Scrubbed = RevisionAnswers | undefined;
export const ScrubbedContext = createContext<Scrubbed>(undefined);

/**
 * The document and the entitlements of an organization at the page's moment, and those of the other side of the
 * comparison. While the person moves the time bar, those of the page's moment are computed from the loaded steps,
 * without a request.
 */
export function useOrganizationAnswers(id: string) {
  const { moment, comparedTo } = usePageMoment();
  const answers = useContext(ScrubbedContext);
  const scrubbed = answers?.document['_id'] === id ? answers : undefined;
  const organization = useOrganizationQuery({ id, moment });
  const entitlements = useEntitlementsQuery({ id, moment });
  const past = isPastMoment(moment) || scrubbed !== undefined;
  const presentDocument = useOrganizationQuery({ id, moment: PRESENT }, { skip: !past });
  const otherMoment = past ? comparedTo : undefined; // a page of the present compares with nothing
  const otherSide = { id, moment: otherMoment ?? PRESENT };
  const skip = otherMoment === undefined;
  const otherQueries = [useOrganizationQuery(otherSide, { skip }), useEntitlementsQuery(otherSide, { skip })] as const;
  const [{ currentData: otherDocument }, { currentData: otherEntitlements }] = otherQueries;
  const computed = scrubbed && (scrubbed.entitlements as Entitlements);
  const shownEntitlements = computed ?? entitlements.data;
  return {
    past,
    /** The organization's present name; undefined until the service has answered. */
    presentName: (past ? presentDocument : organization).data?.name,
    organization: scrubbed ? { ...organization, ...atRest, data: documentOf(scrubbed) } : organization,
    entitlements: computed ? { ...entitlements, ...atRest, data: computed, currentData: computed } : entitlements,
    /** The answer about the organization at present; undefined while the page itself shows the present. */
    present: past ? presentDocument : undefined,
    /** The other side of the comparison; undefined if the page compares with nothing. */
    other: otherMoment && {
      moment: otherMoment,
      document: otherDocument,
      entitlements: otherEntitlements,
      /** Whether the browser waits for the first answers about the other side. */
      isLoading: otherQueries.some(isFirstLoad),
      /** Whether the other side is before the page's moment. */
      isEarlier: (otherEntitlements?.revision ?? Infinity) < (shownEntitlements?.revision ?? 0),
    },
  };
}

/**
 * The entitlements that the page shows; undefined before the first answer and after a failure. While the answer about
 * another moment loads, the entitlements of the previous moment stay.
 */
export function useShownEntitlements(id: string): Entitlements | undefined {
  const { moment } = usePageMoment();
  const answers = useContext(ScrubbedContext);
  const { data, isError } = useEntitlementsQuery({ id, moment });
  if (answers?.document['_id'] === id) return answers.entitlements as Entitlements;
  return isError || data?.organization !== id ? undefined : data;
}

const atRest = { error: undefined, isFetching: false };

/** Returns a function that computes its result only once for each object. */
function cachedByObject<Key extends object, Value>(compute: (of: Key) => Value): (of: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (of) => {
    const value = known.get(of) ?? compute(of);
    known.set(of, value);
    return value;
  };
}
const listOf = cachedByObject((byId: object): readonly unknown[] => Object.values(byId));
const domainsOf = cachedByObject(({ domains }: Readonly<{ domains: object }>) => ({ domains: listOf(domains) }));

/**
 * The document as the service prints it: its lists are arrays again. A list that a step leaves unchanged stays the same
 * array, so that a page does not render the list again.
 */
const documentOf = cachedByObject(({ document }: RevisionAnswers): OrganizationDocument => {
  const printed = (list: DocumentList) =>
    hasDomains(list) ? domainsOf(document[list] as Readonly<{ domains: object }>) : listOf(document[list] as object);
  return {
    ...document,
    ...Object.fromEntries(listsIn(document).map((list) => [list, printed(list)])),
    addOns: listOf(document['addOns'] as object),
  } as unknown as OrganizationDocument;
});
