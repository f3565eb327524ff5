import { Controller, Get, Inject, Param, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { safeRedirect, type ProviderIdentity } from '@charter/identity';
import { words } from '@charter/organization';
import type { Request, Response } from 'express';
import * as openid from 'openid-client';
import { Public } from '../../http/authentication/authentication-guard';
import { completeSignIn } from '../federation/complete-sign-in';
import { trustedDomain } from '../domains/domain-trust';
import { ssoSecretInForce, type SsoSecret } from '../sso-settings/sso-secret';
import { SsoFailureFilter, withinDeadline, SignInRefused } from '../federation/sign-in-failure';
import { callbackOf, FEDERATION, type Federation, SCOPE } from '../federation/federation';
import { type SignInFlow, randomToken } from '../federation/sign-in-flow';
import { emailClaims, identityFromIdToken } from '../federation/id-token';
import { fetchThroughEgress, allowPlainHttp, type Provider } from '../federation/providers';
import type { Charter } from '@charter/application';
import { STORES } from '../../process/parts/stores';
import { type Clock, CLOCK } from '../../process/parts/clock';
import { type Authentication, AUTHENTICATION } from '../../process/parts/authentication';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { type Background, BACKGROUND } from '../../process/parts/background';

/** Signing in through an organization's own provider (`decisions.md`, Signing in, 6). */
@Public()
@ApiExcludeController()
@UseFilters(SsoFailureFilter)
@Controller('auth/sso')
export class SingleSignOnController {
  private readonly runtime: Pick<
    Charter,
    'settings' | 'log' | 'database' | 'view' | 'organizations' | 'keyFor' | 'trail'
  > &
    Clock &
    Pick<Authentication, 'browserSessions'> &
    Pick<OrganizationAccess, 'reading' | 'commands'> &
    Pick<Background, 'backgroundWork' | 'mails'>;

  constructor(
    @Inject(STORES)
    stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(AUTHENTICATION) authentication: Authentication,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
    @Inject(BACKGROUND) background: Background,
    @Inject(FEDERATION) private readonly federation: Federation,
  ) {
    this.runtime = { ...stores, ...clock, ...authentication, ...access, ...background };
  }

  @Get('callback')
  async back(@Req() request: Request, @Res() response: Response): Promise<void> {
    const answer = new URL(callbackOf(this.runtime, 'sso'));
    answer.search = URL.parse(request.originalUrl, answer.href)!.search;
    const [state, code] = [answer.searchParams.get('state'), answer.searchParams.get('code')];
    const flow = await this.federation.flows.take(response, 'sso', { state, code });
    if (!flow) throw new SignInRefused('sso', 'state');
    const identity = await withinDeadline('sso', this.identity(flow, answer));
    await completeSignIn(this.runtime, identity, flow, request, response);
  }

  /** Leads from the domain of an e-mail address to the organization that has proven the domain. */
  @Get('domains/:domain')
  async byDomain(
    @Param('domain') name: string,
    @Query() { redirect }: Readonly<Record<string, unknown>>,
    @Res() response: Response,
  ): Promise<void> {
    const domain = words.Hostname.safeParse(name);
    const trusted = domain.success ? await trustedDomain(this.runtime, domain.data) : undefined;
    // The start of the sign-in checks the redirect.
    const query = typeof redirect === 'string' ? `?${new URLSearchParams({ redirect }).toString()}` : '';
    const start = trusted ? `/auth/sso/${trusted.organization}${query}` : '/login?error=sso';
    response.status(303).set('Location', start).end();
  }

  @Get(':organization')
  async there(
    @Param('organization') name: string,
    @Query() { redirect: requestedUrl }: Readonly<Record<string, unknown>>,
    @Res() response: Response,
  ): Promise<void> {
    const id = words.Id.safeParse(name);
    if (!id.success) throw new SignInRefused('sso', 'no-such-organization');
    const { publicUrl, redirectOrigins: origins } = this.runtime.settings;
    const redirect = safeRedirect(requestedUrl ?? '/', { publicUrl, origins });
    const client = await withinDeadline('sso', this.client(id.data));
    const [nonce, verifier] = [randomToken(), openid.randomPKCECodeVerifier()];
    const { issuer } = client.provider;
    const flow = this.federation.flows.begin(response, {
      ...{ method: 'sso', organization: id.data, issuer, nonce, verifier, redirect },
    });
    const address = openid.buildAuthorizationUrl(client.configuration, {
      redirect_uri: callbackOf(this.runtime, 'sso'),
      scope: SCOPE,
      state: flow.state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    response.status(302).set('Location', address.href).end();
  }

  private async client(organization: string): Promise<Client> {
    const known = await ssoSecretInForce(this.runtime, organization);
    if (!known) throw new SignInRefused('sso', 'not-configured');
    const provider = await this.federation.organizations.at(known.issuer);
    return { known, provider, configuration: configurationOf(provider, known) };
  }

  private async identity(flow: SignInFlow, answer: URL): Promise<ProviderIdentity> {
    const { known, provider, configuration } = await this.client(flow.organization!);
    if (provider.issuer !== flow.issuer) throw new SignInRefused('sso', 'configured-anew');
    const tokens = await openid.authorizationCodeGrant(configuration, answer, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
    });
    const expected = { clientId: known.clientId, nonce: flow.nonce, now: this.runtime.now() };
    const identity = await identityFromIdToken(provider, tokens.id_token, expected);
    const isComplete = identity.email !== undefined && identity.emailVerified !== undefined;
    if (isComplete || !provider.metadata.userinfo_endpoint) return identity;
    if (await this.runtime.database.people.accounts.bySubject(identity.issuer, identity.subject)) return identity;
    // Some providers send the e-mail address, or the claim `email_verified`, only in the user info. The ID token has
    // already identified the person.
    const more = emailClaims(await openid.fetchUserInfo(configuration, tokens.access_token, identity.subject));
    if (identity.email === undefined) return { ...identity, ...more };
    // The claim in the user info is about the address in the user info.
    return more.email === undefined || more.email === identity.email
      ? { ...identity, emailVerified: more.emailVerified }
      : { ...identity, emailVerified: false };
  }
}

type Client = Readonly<{ known: SsoSecret; provider: Provider; configuration: openid.Configuration }>;

function configurationOf({ metadata, ask }: Provider, { clientId, clientSecret }: SsoSecret): openid.Configuration {
  const takesPost = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post');
  const authentication = takesPost ? openid.ClientSecretPost(clientSecret) : openid.ClientSecretBasic(clientSecret);
  const configuration = new openid.Configuration(metadata, clientId, {}, authentication);
  configuration[openid.customFetch] = fetchThroughEgress(ask);
  allowPlainHttp(configuration);
  return configuration;
}
