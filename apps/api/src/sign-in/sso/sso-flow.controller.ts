import { Controller, Get, Inject, Param, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { safeRedirect, type Vouched } from '@charter/identity';
import { words } from '@charter/organization';
import type { Request, Response } from 'express';
import * as openid from 'openid-client';
import { Open } from '../../http/authentication/authentication-guard';
import { RUNTIME, type Runtime } from '../../process/runtime';
import { arrive } from '../federation/complete-sign-in';
import { configured, type Configured } from '../sso-settings/sso-secret';
import { BackFromSingleSignOn, inTime, NotSignedIn } from '../federation/sign-in-failure';
import { callbackOf, FEDERATION, type Federation, SCOPE } from '../federation/federation';
import { type Flow, unguessable } from '../federation/sign-in-flow';
import { addressIn, vouchedBy } from '../federation/id-token';
import { fetchBy, plainToo, type Provider } from '../federation/providers';

/** Signing in through an organization's own provider (`decisions.md`, Signing in, 6). */
@Open()
@ApiExcludeController()
@UseFilters(BackFromSingleSignOn)
@Controller('auth/sso')
export class SingleSignOnController {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(FEDERATION) private readonly federation: Federation,
  ) {}

  @Get('callback')
  async back(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { state } = request.query;
    const flow = await this.federation.flows.take(response, 'sso', state);
    if (!flow) throw new NotSignedIn('sso', 'state');
    const vouched = await inTime('sso', this.vouched(flow, request));
    await arrive(this.runtime, vouched, flow, request, response);
  }

  @Get(':organization')
  async there(
    @Param('organization') name: string,
    @Query() { redirect: wish }: Readonly<Record<string, unknown>>,
    @Res() response: Response,
  ): Promise<void> {
    const id = words.Id.safeParse(name);
    if (!id.success) throw new NotSignedIn('sso', 'no-such-organization');
    const { publicUrl, redirectOrigins: origins } = this.runtime.settings;
    const redirect = safeRedirect(wish ?? '/', { publicUrl, origins });
    const client = await inTime('sso', this.client(id.data));
    const [nonce, verifier] = [unguessable(), openid.randomPKCECodeVerifier()];
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
    const known = await configured(this.runtime, organization);
    if (!known) throw new NotSignedIn('sso', 'not-configured');
    const provider = await this.federation.organizations.at(known.issuer);
    return { known, provider, configuration: configurationOf(provider, known) };
  }

  private async vouched(flow: Flow, { originalUrl }: Request): Promise<Vouched> {
    const { known, provider, configuration } = await this.client(flow.organization!);
    if (provider.issuer !== flow.issuer) throw new NotSignedIn('sso', 'configured-anew');
    const answer = new URL(callbackOf(this.runtime, 'sso'));
    answer.search = URL.parse(originalUrl, answer.href)!.search;
    const tokens = await openid.authorizationCodeGrant(configuration, answer, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
    });
    const expected = { clientId: known.clientId, nonce: flow.nonce, now: this.runtime.now() };
    const vouched = await vouchedBy(provider, tokens.id_token, expected);
    if (vouched.email !== undefined || !provider.metadata.userinfo_endpoint) return vouched;
    // Some providers tell addresses only here; who it is was said by the ID token.
    const more = await openid.fetchUserInfo(configuration, tokens.access_token, vouched.subject);
    return { ...vouched, ...addressIn(more) };
  }
}

type Client = Readonly<{ known: Configured; provider: Provider; configuration: openid.Configuration }>;

function configurationOf({ metadata, ask }: Provider, { clientId, clientSecret }: Configured): openid.Configuration {
  const takesPost = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post');
  const authentication = takesPost ? openid.ClientSecretPost(clientSecret) : openid.ClientSecretBasic(clientSecret);
  const configuration = new openid.Configuration(metadata, clientId, {}, authentication);
  configuration[openid.customFetch] = fetchBy(ask);
  plainToo(configuration);
  return configuration;
}
