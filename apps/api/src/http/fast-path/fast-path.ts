import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Refused } from '@charter/aggregates';
import { momentAt } from '@charter/decider';
import { hasAnyRole, noSuchOrganization, readers } from '@charter/organization';
import { type EntitlementKey, entitlementKeys } from '@charter/organization-view';
import { matchesETag, receiptAnswer } from '../answers';
import { addMemberByIdOrEmail } from '../../organizations/members/add-member';
import { requireRole } from '../../organizations/require-role';
import { NewMember } from '../../organizations/organization.requests';
import { uncachedAnswers, type PreparedAnswer, preparedAnswers } from './prepared-answers';
import { readBody, isJson, isCompressed, parseJson } from '../input/body';
import { actorIn, bearerOf, type Caller } from '../authentication/caller';
import { commandContextFor } from '../request-context';
import { requestIdOf } from '../request-id';
import { headersOfAnswers } from '../headers';
import { lagHeaders } from '../lag-headers';
import { isUnexpected, problemOf } from '../problems/problem';
import { sendProblemAnswer, writeProblem } from '../problems/write-problem';
import { logRefusal } from '../problems/problems.filter';
import { validated } from '../input/validation';
import type { Charter } from '@charter/application';
import type { Authentication } from '../../process/parts/authentication';
import type { Lifecycle } from '../../process/parts/lifecycle';
import type { Observability } from '../../process/parts/observability';
import type { OrganizationAccess } from '../../process/parts/organization-access';

/**
 * Answers the two most frequent kinds of requests before they reach Nest (`docs/adr`): reads of one entitlement, and
 * additions of a member. The fast path uses the same API keys, rules, queries and problems as Nest's routes, but skips
 * Nest's pipeline. Nest answers all other requests, and unusual requests to the two routes of the fast path.
 */
export function fastPath(over: FastPathParts, otherwise: RequestListener): RequestListener {
  const runtime: FastPathContext = { ...over, headers: headersOfAnswers(over.settings) };
  const isAtHand = over.view.getSync !== undefined && over.view.revisionSync !== undefined;
  const entitlements = isAtHand ? preparedAnswers(runtime) : uncachedAnswers(runtime);

  const answerRead = (fast: FastRead, caller: Caller): boolean => {
    const { request, response, organization, key, done } = fast;
    const actor = actorIn(caller, organization);
    const isReader = hasAnyRole(readers, actor.powers);
    if (!isReader && actor.kind !== 'account') return false;
    const read = () => entitlements(organization, key, { actor, response });
    // A member's role is in the organization's stream. With SQLite, the fast path reads the role first. The work and
    // the refusal are therefore the same for a foreign organization and for a missing organization (`acceptance.md`
    // H2).
    const allowed = isReader ? undefined : requireRole(runtime, organization, actor, readers);
    const answer = allowed && isAtHand ? allowed.then(read) : read();
    if (!answer) return false;
    const answerWith = (printed: PreparedAnswer) => {
      send(request, response, printed, runtime);
      done();
    };
    if (!(answer instanceof Promise)) answerWith(answer);
    // If the caller is refused or a store fails, the fast path itself answers, because Nest's route would wait for the
    // event log once more.
    else
      void Promise.all([answer, allowed])
        .then(([printed]) => {
          if (printed) answerWith(printed);
          else if (!isAtHand) throw new Refused(noSuchOrganization);
          else otherwise(request, response); // the read model does not contain the organization yet
        })
        .catch((error: unknown) => {
          if (response.headersSent) return;
          if (isUnexpected(error)) {
            otherwise(request, response);
            return;
          }
          refuseFor(runtime, fast, caller, error);
          done();
        });
    return true;
  };

  /**
   * Authenticates the caller and answers the read asynchronously, because PostgreSQL has no synchronous queries. The
   * fast path answers a refusal itself, because Nest would count a wrong API key a second time.
   */
  const identifyAndRead = async (fast: FastRead): Promise<void> => {
    const { request, response, done } = fast;
    try {
      const caller = await runtime.callers.identify(request);
      if (!answerRead(fast, caller)) otherwise(request, response);
    } catch (error) {
      refuseFor(runtime, fast, undefined, error);
      done();
    }
  };

  const isAnswered = (request: IncomingMessage, response: ServerResponse): boolean => {
    const fast = fastRequestIn(runtime, request, response);
    if (!fast || runtime.stopping()) return false;
    const caller = runtime.callers.recall(request);
    if (!caller && isAtHand) return false;
    if (isRead(fast)) {
      if (caller) return answerRead(fast, caller);
      void identifyAndRead(fast);
      return true;
    }
    if (!isPlain(request)) return false;
    response.on('finish', fast.done);
    void answerNewMember(runtime, fast, caller ?? runtime.callers.identify(request));
    return true;
  };

  return (request, response) => {
    if (!isAnsweredSafely()) otherwise(request, response);

    /**
     * Catches every error, because no caller of this function catches errors. If the answer has not begun, Nest's route
     * then handles the request, meets the same error, and answers with a problem.
     */
    function isAnsweredSafely(): boolean {
      try {
        return isAnswered(request, response);
      } catch {
        return response.headersSent;
      }
    }
  };
}

/** A request for a route of the fast path. */
type FastRequest = Readonly<{
  request: IncomingMessage;
  response: ServerResponse;
  organization: string;
  /** The requested entitlement; undefined if the request adds a member. */
  key: EntitlementKey | undefined;
  /** Reports the answer to the metrics; must be called once. */
  done: () => void;
}>;

type FastRead = FastRequest & Readonly<{ key: EntitlementKey }>;
const isRead = (fast: FastRequest): fast is FastRead => fast.key !== undefined;

function fastRequestIn(
  { counts }: Pick<Observability, 'counts'>,
  request: IncomingMessage,
  response: ServerResponse,
): FastRequest | undefined {
  const began = performance.now();
  const { method, url = '' } = request;
  if (!url.startsWith('/api/v1/organizations/')) return undefined;
  for (const { method: its, address, name } of fastRoutes) {
    const [, organization, key] = (its === method && address.exec(url)) || [];
    if (organization === undefined) continue;
    const done = () => counts.answered(name, response.statusCode, (performance.now() - began) / 1000);
    return { request, response, organization, key: key as EntitlementKey | undefined, done };
  }
  return undefined;
}

type FastPathParts = Pick<Charter, 'view'> &
  Parameters<typeof addMemberByIdOrEmail>[0] &
  Parameters<typeof requireRole>[0] &
  Parameters<typeof logRefusal>[0] &
  Lifecycle &
  Pick<Observability, 'counts'> &
  Pick<Authentication, 'callers'> &
  Pick<OrganizationAccess, 'reading' | 'projection'>;

type FastPathContext = FastPathParts & Readonly<{ headers: ReturnType<typeof headersOfAnswers> }>;

const UUID = '([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})';
const ENTITLEMENT = new RegExp(`^/api/v1/organizations/${UUID}/entitlements/(${entitlementKeys.join('|')})$`);
const MEMBERS = new RegExp(`^/api/v1/organizations/${UUID}/members$`);
/** The names of the fast path's two routes in the metrics, equal to the names of Nest's routes there. */
const fastRoutes = [
  { method: 'GET', address: ENTITLEMENT, name: 'GET /api/v1/organizations/:id/entitlements/:key' },
  { method: 'POST', address: MEMBERS, name: 'POST /api/v1/organizations/:id/members' },
] as const;

/**
 * Whether the fast path may add the member. A request with a cookie instead of an API key needs the XSRF check, which
 * only Nest's route makes.
 */
const isPlain = (request: IncomingMessage) =>
  bearerOf(request) !== undefined &&
  request.headers['idempotency-key'] === undefined &&
  !isCompressed(request) &&
  isJson(request);

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { tag, body, length }: PreparedAnswer,
  runtime: FastPathContext,
): void {
  const known = matchesETag(request.headers['if-none-match'], tag);
  const headers = {
    ...runtime.headers,
    'Request-Id': requestIdOf(request),
    ETag: tag,
    ...lagHeaders(runtime.projection),
  };
  if (known) response.writeHead(304, headers).end();
  else response.writeHead(200, { ...headers, 'Content-Type': JSON_TYPE, 'Content-Length': length }).end(body);
}

const JSON_TYPE = 'application/json; charset=utf-8';

async function answerNewMember(runtime: FastPathContext, fast: FastRequest, asking: Caller | Promise<Caller>) {
  const { request, response, organization: id } = fast;
  let known: Caller | undefined;
  try {
    const [caller, body] = await Promise.all([asking, readBody(request)]); // reads the body while the key is looked up
    known = caller;
    const newMember = validated(NewMember, parseJson(body));
    const about = { id: requestIdOf(request), caller, at: momentAt(runtime.now()), key: undefined };
    const context = commandContextFor(about, id, request.headers['if-match']);
    const { member, receipt } = await addMemberByIdOrEmail(runtime, id, newMember, context);
    const { status, headers, body: answer } = receiptAnswer(receipt, { id: member, at: request.url! });
    const text = JSON.stringify(answer);
    response
      .writeHead(status, {
        ...runtime.headers,
        ...lagHeaders(runtime.projection),
        'Request-Id': requestIdOf(request),
        ...headers,
        'Content-Type': JSON_TYPE,
        'Content-Length': String(Buffer.byteLength(text)),
      })
      .end(text);
  } catch (error) {
    refuseFor(runtime, fast, known, error);
  }
}

function refuseFor(
  runtime: FastPathContext,
  { request, response, organization }: FastRequest,
  caller: Caller | undefined,
  error: unknown,
): void {
  const { problem, headers } = problemOf(error, request);
  logRefusal(runtime, request, { caller, organization }, problem, error);
  if (response.headersSent || response.destroyed) return;
  const instance = requestIdOf(request);
  const all = { ...runtime.headers, ...lagHeaders(runtime.projection), 'Request-Id': instance, ...headers };
  sendProblemAnswer(response, writeProblem(problem, instance, all));
}
