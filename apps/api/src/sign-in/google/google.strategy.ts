import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { ProviderIdentity } from '@charter/identity';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy, type StrategyOptionsWithRequest } from 'passport-google-oauth20';
import { callbackOf, FEDERATION, type Federation, SCOPE } from '../federation/federation';
import { SignInRefused } from '../federation/sign-in-failure';
import { type SignInFlow, flowOf } from '../federation/sign-in-flow';
import { identityFromIdToken } from '../federation/id-token';
import type { Provider } from '../federation/providers';
import type { Charter } from '@charter/application';
import { STORES } from '../../process/parts/stores';
import { type Clock, CLOCK } from '../../process/parts/clock';

/** The values with which a sign-in flow at Google begins. */
export type GoogleRequest = Readonly<{ state: Pick<SignInFlow, 'nonce' | 'redirect'> }>;

/**
 * Signs people in with Google by the authorization-code flow with PKCE. Google's addresses come from its discovery
 * document. A cookie contains the state of the flow (`SignInFlows`). The token request has the limits of `Egress`. The
 * identity comes from the signed ID token, not from the UserInfo endpoint.
 */
@Injectable()
export class GoogleStrategy
  extends PassportStrategy<typeof Strategy, ProviderIdentity, ProviderIdentity>(Strategy, 'google', 6)
  implements OnModuleDestroy
{
  private readonly runtime: Pick<Charter, 'settings'> & Clock;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(FEDERATION) private readonly federation: Federation,
  ) {
    const { clientId: clientID, clientSecret } = stores.settings.google ?? { clientId: 'none', clientSecret: 'none' };
    const options = {
      clientID,
      clientSecret,
      scope: SCOPE,
      pkce: true,
      store: { store: begin, verify: take },
      passReqToCallback: true,
      skipUserProfile: true,
    };
    // The types of the passport package do not describe a state store with PKCE.
    super(options as unknown as StrategyOptionsWithRequest);
    this.runtime = { ...stores, ...clock };
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- passport calls these functions with its own `this`
    const strategy = this;
    this._oauth2.getOAuthAccessToken = (code: string, parameters: unknown, answer?: unknown) =>
      void strategy.exchange(code, parameters as Parameters, answer as TokenAnswer);
    // Specs run several Charter servers in one process, and each server needs a separate strategy.
    passport.unuse('google');
    this.name = `google-${randomUUID()}`;
    passport.use(this.name, this);

    /** Passport reads how many parameters this function and `take` declare, and passes that number of arguments. */
    function begin(
      request: Request,
      verifier: string,
      start: GoogleRequest['state'],
      _meta: object,
      answer: StateAnswer,
    ) {
      const { issuer } = strategy.runtime.settings.google!;
      const flow = strategy.federation.flows.begin(request.res!, { method: 'google', issuer, verifier, ...start });
      answer(null, flow.state);
    }
    function take(
      request: Request,
      state: unknown,
      answer: (error: unknown, verifier?: string | false, flow?: SignInFlow) => void,
    ) {
      const { code } = request.query;
      strategy.federation.flows.take(request.res!, 'google', { state, code }).then((flow) => {
        answer(null, flow?.verifier ?? false, flow);
      }, answer);
    }
  }

  onModuleDestroy(): void {
    passport.unuse(this.name);
  }

  override authenticate(request: Request, options?: unknown): void {
    const { google } = this.runtime.settings;
    this.federation.google.at(google!.issuer).then(
      (provider) => {
        Object.assign(this._oauth2, { _authorizeUrl: provider.authorizationEndpoint });
        if (isOfAnother(provider, request)) this.error(new SignInRefused('google', 'foreign-issuer'));
        else super.authenticate(request, { ...(options as object), callbackURL: callbackOf(this.runtime, 'go') });
      },
      (error: unknown) => this.error(error as Error),
    );
  }

  override authorizationParams({ state: { nonce } }: GoogleRequest): object {
    return { nonce, prompt: 'select_account' };
  }

  async validate(
    request: Request,
    _access: string,
    _refresh: string,
    { id_token }: { id_token?: unknown },
  ): Promise<ProviderIdentity> {
    const { runtime, federation } = this;
    const { clientId, issuer } = runtime.settings.google!;
    const { nonce } = flowOf(request)!;
    return identityFromIdToken(await federation.google.at(issuer), id_token, { clientId, nonce, now: runtime.now() });
  }

  /**
   * Requests the tokens in place of passport, because passport's own request has no time limit and no maximum size of
   * the answer. Passport's request also follows redirects.
   */
  private async exchange(code: string, parameters: Parameters, answer: TokenAnswer): Promise<void> {
    const { clientId, clientSecret, issuer } = this.runtime.settings.google!;
    const body = new URLSearchParams({ ...parameters, code, client_id: clientId, client_secret: clientSecret });
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    try {
      const { ask, tokenEndpoint } = await this.federation.google.at(issuer);
      const answered = await ask(tokenEndpoint, { method: 'POST', headers, body });
      const tokens: unknown = answered.status === 200 ? await answered.json() : undefined;
      const { access_token: access } = (tokens ?? {}) as { access_token?: unknown };
      if (typeof access !== 'string') throw new SignInRefused('google', `token-${answered.status}`);
      answer(null, access, '', tokens as object);
    } catch (error) {
      answer(error as { statusCode: number });
    }
  }
}

type Parameters = Readonly<Record<string, string>>;
type StateAnswer = (error: unknown, state?: string) => void;
type TokenAnswer = (error: { statusCode: number } | null, access?: string, refresh?: string, tokens?: object) => void;

/**
 * Whether the callback names another issuer (RFC 9207). A callback without an issuer is accepted only if the provider
 * never sends an issuer.
 */
function isOfAnother({ issuer, metadata }: Provider, { query, path }: Request): boolean {
  if (!path.endsWith('/callback')) return false;
  const { iss } = query;
  return iss === undefined ? metadata.authorization_response_iss_parameter_supported === true : iss !== issuer;
}
