import { entitlement, type EntitlementKey, type OrganizationQuery } from '@charter/organization-view';
import { LRUCache } from 'lru-cache';
import type { Asker } from '../admission/gate';
import type { OrganizationAccess } from '../../process/parts/organization-access';

/** An answer as text, and the values of its headers. */
export type PreparedAnswer = Readonly<{ revision: number; tag: string; body: string; length: string }>;

/**
 * Caches answers as text, by organization and entitlement. An answer stays cached until the revision changes. An answer
 * that depends on the end of an override is not cached. The fast path checks the permission before it sends an answer.
 * The answers are not in a `stampedCache`, because each commit would drop the answers of all organizations.
 */
export function preparedAnswers({ reading }: Pick<OrganizationAccess, 'reading'>) {
  const answers = new LRUCache<string, PreparedAnswer>({ max: CACHED_ANSWERS_MAX });

  return (id: string, key: EntitlementKey): PreparedAnswer | undefined => {
    const name = `${id}/${key}`;
    const cached = answers.get(name);
    if (cached && cached.revision === reading.revisionSync(id)) return cached;
    const answer = print(reading.queryCached(id, questionFor(id, key)));
    if (answer && !answer.ends) answers.set(name, answer);
    return answer;
  };
}

const CACHED_ANSWERS_MAX = 50_000;

/** Prints answers for a database that can only be queried asynchronously; each request queries the database. */
export const uncachedAnswers =
  ({ reading }: Pick<OrganizationAccess, 'reading'>) =>
  async (id: string, key: EntitlementKey, asker: Asker): Promise<PreparedAnswer | undefined> =>
    print(await reading.query(id, questionFor(id, key), {}, asker));

const questionFor =
  (id: string, key: EntitlementKey): OrganizationQuery<NonNullable<AnsweredQuery>['answer']> =>
  (document, at) => ({
    ends: document.state.override?.until,
    body: entitlement(id, key)(document, at),
    revision: document.revision,
  });

type AnsweredQuery =
  { answer: { ends: string | null | undefined; body: object; revision: number }; tag: string } | undefined;

/**
 * Prints the answer as text. `ends` is true if the answer changes when an override ends; an answer with `ends` is not
 * cached.
 */
function print(answered: AnsweredQuery): (PreparedAnswer & { ends: boolean }) | undefined {
  if (!answered) return undefined;
  const body = JSON.stringify(answered.answer.body);
  return {
    revision: answered.answer.revision,
    tag: answered.tag,
    body,
    length: String(Buffer.byteLength(body)),
    ends: answered.answer.ends != null,
  };
}
