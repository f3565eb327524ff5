import type { IncomingMessage, RequestListener } from 'node:http';
import type { Charter } from '@charter/application';
import { flagReaders, hasAnyRole, organizationStream } from '@charter/organization';
import { type FlagSubject, targetingKeyOf } from '@charter/organization-view';
import { LRUCache } from 'lru-cache';
import { epochEnd, matchesFlagETag } from '../../flags/flag-etag';
import { flagListAnswer } from '../../flags/flag-list-answer';
import { flagsQuery } from '../../flags/flags-query';
import { Evaluation } from '../../flags/flags.requests';
import type { Authentication } from '../../process/parts/authentication';
import type { Clock } from '../../process/parts/clock';
import type { FlagStreams } from '../../process/parts/flag-streams';
import type { OrganizationAccess } from '../../process/parts/organization-access';
import { actorIn, bearerOf, type Caller } from '../authentication/caller';
import { hasSmallBody, isCompressed, isJson, keepBody, parseJson, readBody } from '../input/body';
import { validated } from '../input/validation';
import { type AnsweringParts, sendFast } from './fast-answers';
import { type FastAnswer, type FastCall, printedAnswer } from './fast-route';

type EvaluatingParts = AnsweringParts &
  Pick<Charter, 'database'> &
  Clock &
  Pick<Authentication, 'callers'> &
  Pick<FlagStreams, 'tickets'> &
  Pick<OrganizationAccess, 'reading'>;

/** `until`: the end of the epoch, after which the answer has another ETag and another ticket. */
type PrintedRevision = Readonly<{ stream: string; revision: number; until: number; answer: FastAnswer }>;

/**
 * Evaluates flags for API keys. An answer stays in memory until the revision of its organization changes. An answer
 * that depends on the end of an override does not stay in memory. The fast path only sends answers with 200 or 304:
 * Nest's route answers every other request, also after the fast path has read its body.
 */
export function createFlagAnswerer(parts: EvaluatingParts, otherwise: RequestListener) {
  const { callers, counts, database, now, reading, settings } = parts;
  const answers = new LRUCache<string, PrintedRevision>({
    maxSize: CACHED_CHARACTERS_MAX,
    sizeCalculation: ({ answer }) => answer.body.length + ENTRY_CHARACTERS,
  });

  const subjectIn = createSubjectReader();
  const inMemory = (name: string): FastAnswer | undefined => {
    const printed = answers.get(name);
    const isCurrent = printed && printed.revision === reading.revisionSync(printed.stream) && printed.until > now();
    return isCurrent ? printed.answer : undefined;
  };
  const print = async (
    name: string,
    subject: FlagSubject,
    flag: string | undefined,
    caller: Caller,
    call: FastCall,
  ) => {
    const until = flag === undefined ? epochEnd(targetingKeyOf(subject), now()) : Infinity;
    const asker = { actor: caller.actor, response: call.response };
    const answered = await reading.query(subject.organization, flagsQuery(subject, settings), {}, asker);
    const { flags, revision, until: overriddenUntil } = answered?.answer ?? {};
    if (!flags || revision === undefined) return undefined;
    const answer =
      flag === undefined
        ? printedList(flagListAnswer(parts, caller, subject, { flags, revision }, false))
        : printedFlag(flags.find(({ key }) => key === flag));
    if (answer && overriddenUntil === null)
      answers.set(name, { stream: organizationStream(subject.organization), revision, until, answer });
    return answer;
  };
  /**
   * The answer; undefined if Nest must answer. If the stores have stamps to refresh, the request has refreshed them.
   */
  const answerOf = (call: FastCall, body: Buffer, flag: string | undefined) => {
    const caller = callers.recall(call.request);
    const subject = caller && subjectIn(body, caller);
    if (!subject || !mayEvaluate(caller, subject)) return undefined;
    const name = `${targetingKeyOf(subject)} ${flag ?? caller.actor.id}`; // only a list depends on its API key
    return inMemory(name) ?? print(name, subject, flag, caller, call);
  };
  const answerLater = async (call: FastCall, flag: string | undefined): Promise<void> => {
    const { request, response } = call;
    let body: Buffer | undefined;
    let answer: FastAnswer | undefined;
    try {
      body = await readBody(request);
      if (database.refreshStamps) await database.refreshStamps();
      answer = await answerOf(call, body, flag);
    } catch {
      if (!body) return; // the client has disconnected
      // after any other error, Nest's route meets the same error and answers
    }
    if (answer) {
      sendFast(parts, call, answer, matchesFlagETag);
      counts.flagsEvaluated(
        flag === undefined ? 'all' : 'one',
        response.statusCode === 304 ? 'unchanged' : 'evaluated',
      );
    } else {
      keepBody(request, body);
      otherwise(request, response);
    }
  };

  return (call: FastCall, flag?: string): boolean => {
    if (!isPlain(call.request)) return false;
    void answerLater(call, flag);
    return true;
  };
}

const mayEvaluate = (caller: Caller, { organization }: FlagSubject): boolean =>
  hasAnyRole(flagReaders, actorIn(caller, organization).powers);

/**
 * Creates a function that reads the subject from the body of an evaluation. The function returns undefined if the body
 * contains `asOf`. It caches the subjects of short bodies, because clients send the same body many times. It caches a
 * body for each caller, and only if the caller may evaluate the flags of the organization. Otherwise the duration of a
 * refusal would reveal that other callers ask about this organization (`acceptance.md` H2).
 * @throws ProblemError 400
 */
function createSubjectReader(): (body: Buffer, caller: Caller) => FlagSubject | undefined {
  const subjects = new LRUCache<string, FlagSubject>({ max: CACHED_BODIES_MAX });
  const read = (body: Buffer) => {
    const { targetingKey, asOf } = validated(Evaluation, parseJson(body)).context;
    return asOf === undefined ? targetingKey : undefined;
  };
  return (body, caller) => {
    if (body.length > CACHED_BODY_BYTES_MAX) return read(body);
    const text = body.toString('latin1'); // one character for each byte, so equal texts mean equal bodies
    const name = `${caller.actor.id} ${text}`;
    const known = subjects.get(name);
    if (known) return known;
    const subject = read(body);
    if (subject && mayEvaluate(caller, subject)) subjects.set(name, subject);
    return subject;
  };
}
const CACHED_BODIES_MAX = 10_000;
const CACHED_BODY_BYTES_MAX = 500;

/**
 * Whether the fast path may read the body. A request with a cookie instead of an API key needs the XSRF check, which
 * only Nest's route makes.
 */
const isPlain = (request: IncomingMessage) =>
  bearerOf(request) !== undefined &&
  request.headers['idempotency-key'] === undefined &&
  hasSmallBody(request) &&
  !isCompressed(request) &&
  isJson(request);

const printedFlag = (flag: object | undefined): FastAnswer | undefined => flag && printedAnswer(flag);

const printedList = ({ list, tag }: ReturnType<typeof flagListAnswer>): FastAnswer => printedAnswer(list, tag);

/** The maximum number of characters of all answers in memory. */
const CACHED_CHARACTERS_MAX = 32 * 1024 * 1024;
/** An estimate of the memory that an entry needs in addition to its body. */
const ENTRY_CHARACTERS = 300;
