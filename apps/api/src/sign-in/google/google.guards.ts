import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { readSignInToken } from '@charter/identity';
import type { Request, Response } from 'express';
import { sessionHasEnded } from '../../http/authentication/session-authentication';
import { withinDeadline, SignInRefused } from '../federation/sign-in-failure';
import { randomToken } from '../federation/sign-in-flow';
import { GoogleStrategy, type GoogleRequest } from './google.strategy';
import type { Charter } from '@charter/application';
import { STORES } from '../../process/parts/stores';
import { type Clock, CLOCK } from '../../process/parts/clock';
import { type Authentication, AUTHENTICATION } from '../../process/parts/authentication';

/** Runs the passport strategy with a time limit, so that the browser always gets an answer in time. */
@Injectable()
abstract class ThroughGoogle extends AuthGuard() {
  protected readonly runtime: Pick<Charter, 'settings' | 'database' | 'keyFor'> &
    Clock &
    Pick<Authentication, 'browserSessions' | 'signedIn'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(AUTHENTICATION) authentication: Authentication,
    @Inject(GoogleStrategy) strategy: GoogleStrategy,
  ) {
    super({ defaultStrategy: strategy.name });
    this.runtime = { ...stores, ...clock, ...authentication };
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    if (!this.runtime.settings.google) throw new SignInRefused('google', 'not-configured');
    request.body = undefined; // removes the body, because passport would accept a `code` in it
    const sent = new Promise((resolve) => response.once('close', resolve));
    return withinDeadline('google', Promise.resolve(super.canActivate(context) as Promise<boolean>), sent);
  }

  override handleRequest<User>(error: unknown, user: User | false | null): User {
    if (error) throw error as Error;
    if (!user) throw new SignInRefused('google', 'refused');
    return user;
  }
}

/** Redirects the browser to Google. The token in the path contains the URL to open after the sign-in. */
@Injectable()
export class GoogleRedirectGuard extends ThroughGoogle {
  override async getAuthenticateOptions(context: ExecutionContext): Promise<GoogleRequest> {
    const request = context.switchToHttp().getRequest<Request>();
    if ('code' in request.query || 'error' in request.query) throw new SignInRefused('google', 'unexpected-query');
    return { state: { nonce: randomToken(), redirect: await this.redirectOf(request) } };
  }

  /**
   * The URL to open after the sign-in; `/` if the path contains no valid token (`decisions.md`, Signing in, 5). A token
   * works once, and only in the browser for which it was made.
   */
  private async redirectOf(request: Request): Promise<string> {
    const { keyFor, database, now } = this.runtime;
    const presented = tokenIn(request);
    if (presented === '') return '/';
    if (await sessionHasEnded(this.runtime, request)) throw new SignInRefused('google', 'token');
    const hash = this.runtime.browserSessions.sessionHashOf(request);
    const token = hash && readSignInToken(keyFor('sign-in'), hash, presented, now());
    if (!token) throw new SignInRefused('google', 'token');
    const seconds = Math.ceil((token.expires - now()) / 1_000);
    const { allowed } = await database.attempts.count(`sign-in-token:${token.id}`, seconds, 1, now());
    if (!allowed) throw new SignInRefused('google', 'token-used');
    return token.redirect;
  }
}

/**
 * The part of the path after `/auth/go/`. This function does not decode the token, because tokens contain only
 * characters that URLs may contain.
 */
const tokenIn = ({ path }: Request) => path.slice('/auth/go'.length).replace(/^\//, '');

/**
 * Handles the callback from Google. Refuses a request without code or state, because passport would start a new flow
 * for such a request.
 */
@Injectable()
export class GoogleCallbackGuard extends ThroughGoogle {
  override getAuthenticateOptions(context: ExecutionContext): object {
    const { query } = context.switchToHttp().getRequest<Request>();
    const isAnswer = Object.values(query).every((value) => typeof value === 'string');
    if (!isAnswer || !query['code'] || !query['state']) throw new SignInRefused('google', 'no-code');
    return {};
  }
}
