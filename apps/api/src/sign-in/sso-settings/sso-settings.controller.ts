import { Body, Controller, Delete, Get, Inject, Param, Put, Query, UseInterceptors } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Receipt, Refused } from '@charter/aggregates';
import {
  auditors,
  noSuchOrganization,
  type OrganizationCommand,
  type OrganizationEvent,
  owners,
  schemaOf,
  words,
} from '@charter/organization';
import { singleSignOn } from '@charter/organization-view';
import { isOnLoopback } from '@charter/settings';
import { z } from 'zod';
import { printedAnswer, printedReceipt } from '../../http/answers';
import { permitted, tellOrganization } from '../../organizations/organization.handlers';
import { WhenQuery } from '../../organizations/organization.requests';
import type { When } from '../../organizations/organization-reader';
import { type Call, OnCall } from '../../http/request-context';
import { Once } from '../../http/idempotency';
import { malformed, Stop } from '../../http/problems/problem';
import { RUNTIME, type Runtime } from '../../process/runtime';
import { forget, keep } from './sso-secret';
import { inTime } from '../federation/sign-in-failure';
import { callbackOf, FEDERATION, type Federation } from '../federation/federation';

/** What a provider gives out: RFC 6749 knows printable ASCII characters, and none of them is a space in practice. */
const credential = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces');

/** What an organization says about its provider; the secret is never shown again. */
export const SingleSignOn = schemaOf('ConfigureSingleSignOn').extend({
  clientId: credential,
  clientSecret: credential,
});

const Id = { schema: words.Id };

/** An organization's own OpenID Connect provider (`api.md`; `decisions.md`, Signing in, 6). */
@ApiTags('Organizations')
@ApiBearerAuth()
@UseInterceptors(Once)
@Controller('api/v1/organizations/:id/single-sign-on')
export class SingleSignOnSettingsController {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(FEDERATION) private readonly federation: Federation,
  ) {}

  @Get()
  @ApiOperation({
    summary: "The organization's own OpenID Connect provider, and what to register there",
    description: 'Issuer and client are null while none is configured. The secret is never shown.',
  })
  async read(
    @Param('id', Id) id: string,
    @Query({ schema: WhenQuery }) when: When,
    @OnCall() { by, request, response }: Call,
  ) {
    await permitted(this.runtime, id, by.actor, when.asOf ? auditors : owners); // the past is for those who may audit
    const question = singleSignOn({
      callback: callbackOf(this.runtime, 'sso'),
      start: `${this.runtime.settings.publicUrl}/auth/sso/${id}`,
    });
    const answered = await this.runtime.reading.ask(id, question, when, { actor: by.actor, response });
    if (!answered) throw new Refused(noSuchOrganization);
    return printedAnswer(this.runtime, answered, request, response);
  }

  @Put()
  @ApiOperation({ summary: 'Let members sign in through an OpenID Connect provider; it is tried before it is stored' })
  async configure(
    @Param('id', Id) id: string,
    @Body({ schema: SingleSignOn }) { clientSecret, issuer: named, clientId }: z.infer<typeof SingleSignOn>,
    @OnCall() call: Call,
  ) {
    await permitted(this.runtime, id, call.by.actor, owners); // nobody else makes us ask anybody
    const issuer = await this.discovered(named);
    const receipt = await this.tell(id, { type: 'ConfigureSingleSignOn', data: { issuer, clientId } }, call);
    await keep(this.runtime, { organization: id, issuer, clientId, clientSecret });
    return printedReceipt(receipt, call.response);
  }

  @Delete()
  @ApiOperation({
    summary: 'Take it away again; whoever signed in through it stays signed in until their session ends',
  })
  async remove(@Param('id', Id) id: string, @OnCall() call: Call) {
    const receipt = await this.tell(id, { type: 'RemoveSingleSignOn', data: {} }, call);
    await forget(this.runtime, id);
    return printedReceipt(receipt, call.response);
  }

  /** As the provider calls itself, letter for letter: its tokens are compared with that. @throws Stop 400, 409 */
  private async discovered(named: string): Promise<string> {
    const url = new URL(named);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOnLoopback(this.runtime.settings)))
      throw malformed([{ path: 'issuer', message: 'must be an https address' }]);
    if (url.username || url.password || url.search || url.hash)
      throw malformed([{ path: 'issuer', message: 'must have no user, query or fragment' }]);
    try {
      return (await inTime('sso', this.federation.organizations.tried(named))).issuer;
    } catch {
      // One answer for all, so that nobody learns from it what else answers where.
      throw new Stop(
        409,
        'provider-unreachable',
        'No OpenID Connect provider of this name answers. Check the issuer: it must be the one in its discovery document.',
      );
    }
  }

  private tell(id: string, command: OrganizationCommand, { by }: Call): Promise<Receipt<OrganizationEvent>> {
    return tellOrganization(this.runtime, id, command, by);
  }
}
