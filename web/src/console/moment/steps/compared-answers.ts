import type { Entitlements, OrganizationDocument } from '@charter/client';
import { reportDifference } from '../../../reporting/answers-differ';
import { type DocumentList, entriesOf, hasDomains, listsIn } from '../../document-lists';
import type { RevisionAnswers } from './blocks';
import { unequalPaths } from './unequal-paths';
import type { JsonObject } from './patches';

/** The service's answers about one moment. */
type Answers = Readonly<{ document: OrganizationDocument; entitlements: Entitlements }>;

/** The maximum length of the differing paths in a report, in characters: the maximum of a tag. */
const PATHS_MAX = 200;

/**
 * Whether the answers that the page computed about a revision differ from the answers of the service. Reports a
 * difference as an error.
 * @param computed `misfit`: a line of a step does not fit the document
 */
export function differs(
  place: Readonly<{ organization: string; revision: number }>,
  computed: RevisionAnswers | 'misfit',
  { document, entitlements }: Answers,
): boolean {
  const paths =
    computed === 'misfit'
      ? ['']
      : [
          ...unequalPaths(computed.document, documentById(document), '/document'),
          ...unequalPaths(computed.entitlements, entitlements, '/entitlements'),
        ];
  if (paths.length === 0) return false;
  reportDifference({ ...place, paths: paths.join(' ').slice(0, PATHS_MAX) });
  return true;
}

/** The document with objects by id in place of its lists, because the patches in steps refer to entries by id. */
function documentById(document: OrganizationDocument): JsonObject {
  const keyed = (list: DocumentList) => {
    const byId = Object.fromEntries(entriesOf(document, list).map((entry) => [entry._id, entry]));
    return hasDomains(list) ? { domains: byId } : byId;
  };
  return {
    ...document,
    ...Object.fromEntries(listsIn(document).map((list) => [list, keyed(list)])),
    addOns: Object.fromEntries(document.addOns.map((entry) => [entry.purchase, entry])),
  };
}
