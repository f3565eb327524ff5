import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { readSignInToken } from '@charter/identity';
import type { Request, Response } from 'express';
import { RUNTIME, type Runtime } from '../../process/runtime';
import { withinDeadline, SignInRefused } from '../federation/sign-in-failure';
import { randomToken } from '../federation/sign-in-flow';
import { GoogleStrategy, type GoogleRequest } from './google.strategy';

/** Through Google, within bounds: whatever it does, the browser is answered in time. */
@Injectable()
abstract class ThroughGoogle extends AuthGuard() {
  constructor(
    @Inject(RUNTIME) protected readonly runtime: Runtime,
    @Inject(GoogleStrategy) strategy: GoogleStrategy,
  ) {
    super({ defaultStrategy: strategy.name });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    if (!this.runtime.settings.google) throw new SignInRefused('google', 'not-configured');
    request.body = undefined; // the library would look for a code in it
    const sent = new Promise((resolve) => response.once('close', resolve));
    return withinDeadline('google', Promise.resolve(super.canActivate(context) as Promise<boolean>), sent);
  }

  override handleRequest<User>(error: unknown, user: User | false | null): User {
    if (error) throw error as Error;
    if (!user) throw new SignInRefused('google', 'refused');
    return user;
  }
}

/** On the way to Google: a token that the page carried says where to go afterwards. */
@Injectable()
export class GoogleRedirectGuard extends ThroughGoogle {
  override async getAuthenticateOptions(context: ExecutionContext): Promise<GoogleRequest> {
    const request = context.switchToHttp().getRequest<Request>();
    if ('code' in request.query || 'error' in request.query) throw new SignInRefused('google', 'unexpected-query');
    return { state: { nonce: randomToken(), redirect: await this.redirectOf(request) } };
  }

  /** `decisions.md`, Signing in, 5: without a token it is `/`. A token is good once, in the browser it was made for. */
  private async redirectOf(request: Request): Promise<string> {
    const { keyFor, documents, now } = this.runtime;
    const presented = tokenIn(request);
    if (presented === '') return '/';
    const visitor = this.runtime.browserSessions.sessionHashOf(request);
    const token = visitor && readSignInToken(keyFor('sign-in'), visitor, presented, now());
    if (!token) throw new SignInRefused('google', 'token');
    const seconds = Math.ceil((token.expires - now()) / 1_000);
    const { allowed } = await documents.attempts.count(`sign-in-token:${token.id}`, seconds, 1, now());
    if (!allowed) throw new SignInRefused('google', 'token-used');
    return token.redirect;
  }
}

/** Everything behind `/auth/go/`, as it stands in the address: no token of ours needs decoding. */
const tokenIn = ({ path }: Request) => path.slice('/auth/go'.length).replace(/^\//, '');

/** On the way back: it must look like an answer, or the library would begin anew. */
@Injectable()
export class GoogleCallbackGuard extends ThroughGoogle {
  override getAuthenticateOptions(context: ExecutionContext): object {
    const { query } = context.switchToHttp().getRequest<Request>();
    const isAnswer = Object.values(query).every((value) => typeof value === 'string');
    if (!isAnswer || !query['code'] || !query['state']) throw new SignInRefused('google', 'no-code');
    return {};
  }
}
