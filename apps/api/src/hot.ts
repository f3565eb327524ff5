import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isAny, readers } from '@charter/organization';
import { entitlement, type EntitlementKey, entitlementKeys, type Problem } from '@charter/organization-view';
import { isKnown } from './answers';
import { addMember } from './members/invite';
import { permitted } from './organization.handlers';
import { NewMember } from './organization.requests';
import { bytesOf, isJson, isPacked, parsed } from './request/body';
import { actorIn, type Caller } from './request/caller';
import { envelopeFor } from './request/envelope';
import { requestIdOf } from './request/guard';
import { headersOfAnswers } from './request/headers';
import { lagHeaders } from './request/lag';
import { problemOf } from './request/problem';
import { noteRefusal } from './request/problems.filter';
import { checked } from './request/validation';
import type { Runtime } from './runtime';

/**
 * The door for the two hottest routes, in front of Nest (`docs/adr`): one entitlement, and adding a member. The same keys,
 * rules, questions and problems as behind it; only the framework's pipeline is left out. Whatever is not plainly one of
 * the two, and not plainly in order, goes through the other door.
 */
export function hotDoor(over: Runtime, otherwise: RequestListener): RequestListener {
  const runtime: Door = { ...over, headers: headersOfAnswers(over.settings) };
  const entitlements = printedAnswers(runtime);

  const answerRead = (request: IncomingMessage, response: ServerResponse, caller: Caller, began: number): boolean => {
    const [, id, key] = ENTITLEMENT.exec(request.url!) ?? [];
    const answer = id && entitlements(id, key as EntitlementKey);
    if (!answer) return false;
    const done = () => {
      send(request, response, answer, runtime);
      runtime.counts.answered(ENTITLEMENT_ROUTE, response.statusCode, (performance.now() - began) / 1000);
    };
    const actor = actorIn(caller, id);
    if (isAny(readers, actor.powers)) done();
    else if (actor.kind !== 'account') return false;
    // A role is asked of the stream, each time. Whoever has none hears so at the other door, and so does a failure.
    else
      void permitted(runtime, id, actor, readers)
        .then(done)
        .catch(() => response.headersSent || otherwise(request, response));
    return true;
  };

  const isAnswered = (request: IncomingMessage, response: ServerResponse): boolean => {
    const began = performance.now();
    const { method, url = '' } = request;
    const caller = isOurs(url) ? runtime.callers.recall(request) : undefined;
    if (!caller || runtime.stopping()) return false;
    if (method === 'GET') return answerRead(request, response, caller, began);

    // What changes something under a cookie may be a forgery, and that is judged at the other door alone.
    const isOwnWill = caller.signedIn === undefined && method === 'POST' && isPlain(request);
    const organization = isOwnWill ? MEMBERS.exec(url)?.[1] : undefined;
    if (organization) {
      response.on('finish', () =>
        runtime.counts.answered(MEMBERS_ROUTE, response.statusCode, (performance.now() - began) / 1000),
      );
      void answerNewMember(runtime, caller, organization, request, response);
    }
    return organization !== undefined;
  };

  return (request, response) => {
    if (!isAnsweredSafely()) otherwise(request, response);

    /** Nobody catches what is thrown in here, so the other door meets the same failure, and says it. */
    function isAnsweredSafely(): boolean {
      try {
        return isAnswered(request, response);
      } catch {
        return response.headersSent;
      }
    }
  };
}

type Door = Runtime & Readonly<{ headers: ReturnType<typeof headersOfAnswers> }>;

const UUID = '([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})';
const ENTITLEMENT = new RegExp(`^/api/v1/organizations/${UUID}/entitlements/(${entitlementKeys.join('|')})$`);
const MEMBERS = new RegExp(`^/api/v1/organizations/${UUID}/members$`);
/** As the other door's metrics name them. */
const ENTITLEMENT_ROUTE = 'GET /api/v1/organizations/:id/entitlements/:key';
const MEMBERS_ROUTE = 'POST /api/v1/organizations/:id/members';
const isOurs = (url: string) => url.startsWith('/api/v1/organizations/');

/** Nothing about it that only the other door understands. */
const isPlain = (request: IncomingMessage) =>
  request.headers['idempotency-key'] === undefined && !isPacked(request) && isJson(request);

type Printed = Readonly<{ revision: number; tag: string; body: string; length: string }>;

/**
 * Answers as ready-made text, by organization and entitlement, for as long as the revision stands and nothing ends. Whoever
 * gets one must have shown that they may.
 */
function printedAnswers({ reading, view }: Runtime) {
  const printed = new Map<string, Printed>();
  const isAtHand = view.getSync !== undefined && view.revisionSync !== undefined;

  return (id: string, key: EntitlementKey): Printed | undefined => {
    if (!isAtHand) return undefined;
    const name = `${id}/${key}`;
    const known = printed.get(name);
    if (known && known.revision === reading.revisionSync(id)) return known;
    return remember(
      printed,
      name,
      print(
        reading.askSync(id, (document, at) => ({
          ends: document.state.override?.until,
          body: entitlement(id, key)(document, at),
          revision: document.revision,
        })),
      ),
    );
  };
}

type Asked = { answer: { ends: string | null | undefined; body: object; revision: number }; tag: string } | undefined;

/** An answer that time alone may change is not kept. */
function print(asked: Asked): (Printed & { ends: boolean }) | undefined {
  if (!asked) return undefined;
  const body = JSON.stringify(asked.answer.body);
  return {
    revision: asked.answer.revision,
    tag: asked.tag,
    body,
    length: String(Buffer.byteLength(body)),
    ends: asked.answer.ends != null,
  };
}

function remember(printed: Map<string, Printed>, name: string, answer: ReturnType<typeof print>): Printed | undefined {
  if (answer && !answer.ends) {
    if (printed.size >= PRINTED_MAX) printed.delete(printed.keys().next().value!);
    printed.set(name, answer);
  }
  return answer;
}
const PRINTED_MAX = 50_000;

function send(request: IncomingMessage, response: ServerResponse, { tag, body, length }: Printed, runtime: Door): void {
  const known = isKnown(request.headers['if-none-match'], tag);
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

async function answerNewMember(
  runtime: Door,
  caller: Caller,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  try {
    const wish = checked(NewMember, parsed(await bytesOf(request)));
    const known = { id: requestIdOf(request), caller, at: new Date(runtime.now()).toISOString(), key: undefined };
    const by = envelopeFor(known, id, request.headers['if-match']);
    const { member, receipt } = await addMember(runtime, id, wish, by);
    const { revision, events } = receipt;
    const made = events.length > 0;
    const body = JSON.stringify({ id: member, revision, events: events.map(({ type, data }) => ({ type, data })) });
    response
      .writeHead(made ? 201 : 200, {
        ...runtime.headers,
        ...lagHeaders(runtime.projection),
        'Request-Id': requestIdOf(request),
        ETag: `"${revision}"`,
        ...(made && { Location: `/api/v1/organizations/${id}/members/${member}` }),
        'Content-Type': JSON_TYPE,
        'Content-Length': String(Buffer.byteLength(body)),
      })
      .end(body);
  } catch (error) {
    const { problem, headers } = problemOf(error);
    noteRefusal(runtime, request, { caller, organization: id }, problem, error);
    if (!response.headersSent && !response.destroyed) refuse(runtime, request, response, problem, headers);
  }
}

function refuse(
  runtime: Door,
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  headers: Readonly<Record<string, string>>,
): void {
  const body = JSON.stringify({ ...problem, instance: requestIdOf(request) });
  response
    .writeHead(problem.status, {
      ...runtime.headers,
      ...lagHeaders(runtime.projection),
      'Request-Id': requestIdOf(request),
      ...headers,
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
    })
    .end(body);
}
