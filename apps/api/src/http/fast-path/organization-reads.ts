import type { Charter } from '@charter/application';
import { deadlineFromNow } from '@charter/aggregates';
import { hasAnyRole, organizationStream, readers } from '@charter/organization';
import {
  entitlement,
  type EntitlementKey,
  entitlements,
  type OrganizationQuery,
  publicDocument,
} from '@charter/organization-view';
import { LRUCache } from 'lru-cache';
import { absenceOf, hasCurrentRole, requireRole } from '../../organizations/require-role';
import type { OrganizationAccess } from '../../process/parts/organization-access';
import { actorIn } from '../authentication/caller';
import type { FastRead } from './answer-read';
import { type FastAnswer, type FastCall, type LogVersion, printedAnswer } from './fast-route';

type ReadParts = Pick<Charter, 'settings' | 'organizations'> & Pick<OrganizationAccess, 'reading'> & LogVersion;
type PrintedRevision = Readonly<{ stream: string; revision: number; answer: FastAnswer }>;

/**
 * The reads of an organization's present document and entitlements. An answer stays in memory until the revision
 * changes. An answer that depends on the end of an override does not stay in memory. The answers are not in a
 * `stampedCache`, because each commit would drop the answers of all organizations.
 */
export function createOrganizationReads(parts: ReadParts) {
  const { reading, settings } = parts;
  /** The answers by URL. The request already contains its URL, so a lookup builds no other key. */
  const answers = new LRUCache<string, PrintedRevision>({
    maxSize: CACHED_CHARACTERS_MAX,
    sizeCalculation: ({ answer }) => answer.body.length + ENTRY_CHARACTERS,
  });

  const readOf = (question: (id: string, key: string | undefined) => OrganizationQuery<object>): FastRead => {
    const inMemory = ({ request }: FastCall): FastAnswer | undefined => {
      const printed = answers.get(request.url!);
      return printed && printed.revision === reading.revisionSync(printed.stream) ? printed.answer : undefined;
    };
    return {
      cached: (caller, call) => {
        const answer = inMemory(call);
        const [id = ''] = call.params;
        return answer && hasCurrentRole(parts, id, actorIn(caller, id), readers, parts.logVersion())
          ? answer
          : undefined;
      },
      print: async (caller, call) => {
        const {
          request,
          response,
          params: [id = '', key],
        } = call;
        const actor = actorIn(caller, id);
        if (actor.kind !== 'account' && !hasAnyRole(readers, actor.powers)) return undefined;
        const deadline = deadlineFromNow();
        // A member's role is in the organization's stream. The fast path reads the role first. The work and the refusal
        // are therefore the same for a foreign organization and for a missing organization (`acceptance.md` H2).
        await requireRole(parts, id, actor, readers, deadline);
        const known = inMemory(call);
        if (known) return known;
        const answered = await reading.query(id, withRevision(question(id, key)), {}, { actor, response }, deadline);
        if (!answered) throw await absenceOf(parts, id);
        const { body, revision, ends } = answered.answer;
        const answer = printedAnswer(body, answered.tag);
        if (!ends) answers.set(request.url!, { stream: organizationStream(id), revision, answer });
        return answer;
      },
    };
  };

  return {
    document: readOf((id) => publicDocument(id, settings.productKey)),
    entitlements: readOf((id) => entitlements(id)),
    entitlement: readOf((id, key) => entitlement(id, key as EntitlementKey)),
  };
}

/** The maximum number of characters of all answers in memory. */
const CACHED_CHARACTERS_MAX = 32 * 1024 * 1024;
/** An estimate of the memory that an entry needs in addition to its body. */
const ENTRY_CHARACTERS = 200;

/** `ends`: whether the answer changes when an override ends. */
const withRevision =
  (question: OrganizationQuery<object>): OrganizationQuery<{ body: object; revision: number; ends: boolean }> =>
  (document, at) => ({
    body: question(document, at),
    revision: document.revision,
    ends: document.state.override?.until != null,
  });
