import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { words } from '@charter/organization';
import type { Request, RequestHandler, Response } from 'express';
import { clientAddressOf } from '../../http/input/client-address';
import { requestIdOf } from '../../http/request-id';
import { flowOf } from './sign-in-flow';
import type { Charter } from '@charter/application';
import { STORES } from '../../process/parts/stores';
import { type Observability, OBSERVABILITY } from '../../process/parts/observability';

/** The error that the sign-in page shows (specification, 8). */
export type ShownError = 'google' | 'sso' | 'account';

/**
 * Thrown when a sign-in through a provider is refused. The reason is one of Charter's codes, never a text from the
 * provider.
 */
export class SignInRefused extends Error {
  constructor(
    readonly shown: ShownError,
    readonly why: string,
    /** The id of the account, if it is known. */
    readonly account?: string,
  ) {
    super(why);
    this.name = 'SignInRefused';
  }
}

/**
 * After every failed sign-in through a provider, redirects the browser to the sign-in page (`acceptance.md` G8, G9).
 */
@Catch()
abstract class BackToSignIn implements ExceptionFilter {
  protected abstract readonly shown: ShownError;
  private readonly runtime: Pick<Charter, 'settings'> & Pick<Observability, 'logger'>;

  constructor(@Inject(STORES) stores: Charter, @Inject(OBSERVABILITY) observability: Observability) {
    this.runtime = { ...stores, ...observability };
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const { shown, why, account } =
      error instanceof SignInRefused ? error : { shown: this.shown, why: errorKind(error), account: undefined };
    const entry = {
      request: requestIdOf(request),
      account,
      organization: flowOf(request)?.organization ?? words.Id.safeParse(request.params['organization']).data,
      address: clientAddressOf(request, this.runtime.settings),
      method: this.shown,
      result: 'sign-in-refused',
      shown,
      why,
    };
    this.runtime.logger.info(entry, 'a sign-in through a provider was refused');
    if (!response.headersSent) redirectToSignIn(response, shown, why === 'limit-exceeded' ? why : undefined);
  }
}

export class GoogleFailureFilter extends BackToSignIn {
  protected readonly shown = 'google';
}
export class SsoFailureFilter extends BackToSignIn {
  protected readonly shown = 'sso';
}

/**
 * The sign-in page explains one reason: the limit of users. Only a person with a verified address in a proven domain of
 * the organization gets this reason.
 */
const redirectToSignIn = (response: Response, shown: ShownError, reason?: 'limit-exceeded'): void =>
  void response
    .status(302)
    .set('Location', `/login?error=${shown}${reason === undefined ? '' : `&reason=${reason}`}`)
    .end();

/** The reason of a failure at a provider: the first code in the chain of causes, or else the kind of the error. */
export function failureCode(error: unknown): string {
  if (error instanceof SignInRefused) return error.why;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (errorKind(cause) !== cause.name) return errorKind(cause);
  return errorKind(error);
}

/**
 * The kind of an error, without the error's message. The message of a library may contain an e-mail address or a token
 * that the provider sent.
 */
export function errorKind(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? code : error.name;
}

/**
 * The maximum number of milliseconds for work with a provider, so that the callback answers within the five seconds of
 * `acceptance.md` G9.
 */
const PROVIDER_MS = 4_000;

/**
 * Limits the duration of work with a provider. If the work ends later, its result is ignored.
 * @throws SignInRefused if the work takes too long
 */
export async function withinDeadline<Result>(
  shown: ShownError,
  work: Promise<Result>,
  gone?: Promise<unknown>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SignInRefused(shown, 'too-slow')), PROVIDER_MS);
  });
  void gone?.finally(() => clearTimeout(timer));
  work.catch(() => undefined); // `work` may still fail after the deadline
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * Answers requests under `/auth` whose path cannot be decoded, because no route matches such a path. The answer is the
 * same as for other failed sign-ins (`acceptance.md` G10).
 */
export const requireDecodablePath: RequestHandler = (request, response, next) => {
  if (isDecodable(request.path)) next();
  else redirectToSignIn(response, request.path.toLowerCase().startsWith('/sso') ? 'sso' : 'google');
};

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
