import type { IncomingMessage } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { ProblemDocument } from '@charter/problems';
import type { Request, Response } from 'express';
import { isForPeople, sendPage } from '../../pages/send-page';
import { clientAddressOf } from '../input/client-address';
import type { Caller } from '../authentication/caller';
import type { RequestWithContext } from '../request-context';
import { ClientGone } from '../admission/gate';
import { requestIdOf } from '../request-id';
import { RepeatedAnswer } from '../idempotency';
import { isUnexpected, problemOf, ProblemError } from './problem';
import { writeFailure } from './ofrep-failure';
import type { ProblemAnswer } from './write-problem';
import { methodsAt } from '../methods-at-route';
import { markFailureLogged } from './unlogged-failures';
import type { Charter } from '@charter/application';
import { STORES } from '../../process/parts/stores';
import { type Clock, CLOCK } from '../../process/parts/clock';
import { type Observability, OBSERVABILITY } from '../../process/parts/observability';
import { type Authentication, AUTHENTICATION } from '../../process/parts/authentication';
import { type PageSettings, PAGE_SETTINGS } from '../../process/parts/page-settings';

/** Turns every error that a route throws into a problem document. */
@Catch()
export class ProblemsFilter implements ExceptionFilter {
  private readonly runtime: Pick<Charter, 'settings' | 'keyFor'> &
    Clock &
    Pick<Observability, 'logger' | 'reporting'> &
    Pick<Authentication, 'browserSessions' | 'signedIn'> &
    PageSettings;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(OBSERVABILITY) observability: Observability,
    @Inject(AUTHENTICATION) authentication: Authentication,
    @Inject(PAGE_SETTINGS) pageSettings: PageSettings,
  ) {
    this.runtime = { ...stores, ...clock, ...observability, ...authentication, ...pageSettings };
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (error instanceof ClientGone) return void response.destroy();
    if (response.headersSent) {
      this.note(error, request); // the response has already begun, so the process can only close the connection
      response.destroy();
      return;
    }
    if (error instanceof RepeatedAnswer) {
      response.type('application/json'); // `send` replaces this type if the stored answer is a problem
      send(response, error.answer); // Express removes the type from a 204
      return;
    }

    const { pages } = this.runtime;
    if (pages && isForPeople(request) && problemOf(error).problem.type === '/problems/not-found') {
      void sendPage(pages, this.runtime, request, response).catch((why: unknown) =>
        this.refuse(why, request, response),
      );
      return;
    }
    this.refuse(error, request, response);
  }

  private refuse(error: unknown, request: Request, response: Response): void {
    const { problem, headers } = this.note(withMethods(error, request), request);
    send(response, writeFailure(request, problem, headers));
  }

  private note(error: unknown, request: Request): ReturnType<typeof problemOf> {
    const known = problemOf(error, request);
    const { charter } = request as Partial<RequestWithContext>;
    const about = { caller: charter?.caller, organization: request.params['id'] };
    logRefusal(this.runtime, request, about, known.problem, error);
    return known;
  }
}

function send(response: Response, { status, headers, body }: ProblemAnswer): void {
  response.status(status).set(headers).send(body);
}

/** If the URL accepts other methods, turns a 404 into a 405 that lists them (`acceptance.md` S10). */
function withMethods(error: unknown, request: Request): unknown {
  const { problem } = problemOf(error);
  if (problem.status !== 404 || problem.type !== '/problems/not-found') return error;
  const methods = methodsAt(request);
  if (methods.length === 0 || methods.includes(request.method)) return error;
  const allow = methods.join(', ');
  return new ProblemError(405, 'method-not-allowed', `This address accepts only ${allow}.`, {}, { Allow: allow });
}

/**
 * Logs each request with the status 401, 403, 429 or 5xx, and each problem with facts for the log (`about`). The log
 * line contains no names, no bodies and no API keys (`acceptance.md` T1, T3). For a defect of Charter, the logger
 * prints the error without its message (`loggedError`).
 */
export function logRefusal(
  { logger, settings, reporting }: Pick<Charter, 'settings'> & Pick<Observability, 'logger' | 'reporting'>,
  request: IncomingMessage,
  { caller, organization }: { caller: Caller | undefined; organization: unknown },
  problem: ProblemDocument,
  error: unknown,
) {
  const { status, type } = problem;
  const about = error instanceof ProblemError ? error.about : undefined;
  if (![401, 403, 429].includes(status) && status < 500 && !about) return;
  markFailureLogged(request);
  const entry = {
    request: requestIdOf(request),
    actor: caller && { kind: caller.actor.kind, id: caller.actor.id },
    organization: typeof organization === 'string' && ID.test(organization) ? organization.toLowerCase() : undefined,
    address: clientAddressOf(request, settings),
    method: request.method,
    status,
    result: type,
    ...about,
  };
  if (status === 500) {
    const why = error instanceof Error && !isUnexpected(error) ? error.message : undefined;
    logger.error({ why, ...entry, err: error }, 'a request failed');
    reporting.report(error, { kind: 'request', request: entry.request, route: routeOf(request) });
  } else if (status > 500)
    logger.warn(
      { why: error instanceof Error ? error.message : undefined, ...entry },
      'a request could not be answered',
    );
  else logger.info(entry, 'a request was refused');
}

/** The router's pattern for the URL. Logs and reports never contain the requested URL itself, which may be any text. */
const routeOf = (request: IncomingMessage): string | undefined => {
  const path = (request as Partial<Request>).route as { path?: unknown } | undefined;
  return typeof path?.path === 'string' ? `${request.method} ${path.path}` : undefined;
};

/** The log contains no part of a URL except ids, because a caller can write any text into a URL. */
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
