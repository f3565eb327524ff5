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
import { sendAnswer, sendReceipt } from '../../http/answers';
import { requireRole } from '../../organizations/require-role';
import { WhenQuery } from '../../organizations/organization.requests';
import type { QueryTime } from '../../organizations/organization-reader';
import { type OrganizationCall, CurrentCall } from '../../http/request-context';
import { IdempotencyInterceptor } from '../../http/idempotency';
import { malformedRequest, ProblemError } from '../../http/problems/problem';
import { RUNTIME, type Runtime } from '../../process/runtime';
import { removeSsoSecret, storeSsoSecret } from './sso-secret';
import { withinDeadline } from '../federation/sign-in-failure';
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
@UseInterceptors(IdempotencyInterceptor)
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
    @Query({ schema: WhenQuery }) when: QueryTime,
    @CurrentCall() { context, request, response }: OrganizationCall,
  ) {
    await requireRole(this.runtime, id, context.actor, when.asOf ? auditors : owners); // the past is for those who may audit
    const question = singleSignOn({
      callback: callbackOf(this.runtime, 'sso'),
      start: `${this.runtime.settings.publicUrl}/auth/sso/${id}`,
    });
    const answered = await this.runtime.reading.query(id, question, when, { actor: context.actor, response });
    if (!answered) throw new Refused(noSuchOrganization);
    return sendAnswer(this.runtime, answered, request, response);
  }

  @Put()
  @ApiOperation({ summary: 'Let members sign in through an OpenID Connect provider; it is tried before it is stored' })
  async configure(
    @Param('id', Id) id: string,
    @Body({ schema: SingleSignOn }) { clientSecret, issuer: named, clientId }: z.infer<typeof SingleSignOn>,
    @CurrentCall() call: OrganizationCall,
  ) {
    await requireRole(this.runtime, id, call.context.actor, owners); // nobody else makes us ask anybody
    const issuer = await this.discovered(named);
    const receipt = await this.tell(id, { type: 'ConfigureSingleSignOn', data: { issuer, clientId } }, call);
    await storeSsoSecret(this.runtime, { organization: id, issuer, clientId, clientSecret });
    return sendReceipt(receipt, call.response);
  }

  @Delete()
  @ApiOperation({
    summary: 'Take it away again; whoever signed in through it stays signed in until their session ends',
  })
  async remove(@Param('id', Id) id: string, @CurrentCall() call: OrganizationCall) {
    const receipt = await this.tell(id, { type: 'RemoveSingleSignOn', data: {} }, call);
    await removeSsoSecret(this.runtime, id);
    return sendReceipt(receipt, call.response);
  }

  /** As the provider calls itself, letter for letter: its tokens are compared with that. @throws Stop 400, 409 */
  private async discovered(named: string): Promise<string> {
    const url = new URL(named);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOnLoopback(this.runtime.settings)))
      throw malformedRequest([{ path: 'issuer', message: 'must be an https address' }]);
    if (url.username || url.password || url.search || url.hash)
      throw malformedRequest([{ path: 'issuer', message: 'must have no user, query or fragment' }]);
    try {
      return (await withinDeadline('sso', this.federation.organizations.tried(named))).issuer;
    } catch {
      // One answer for all, so that nobody learns from it what else answers where.
      throw new ProblemError(
        409,
        'provider-unreachable',
        'No OpenID Connect provider of this name answers. Check the issuer: it must be the one in its discovery document.',
      );
    }
  }

  private tell(
    id: string,
    command: OrganizationCommand,
    { context }: OrganizationCall,
  ): Promise<Receipt<OrganizationEvent>> {
    return this.runtime.commands.execute(id, command, context);
  }
}
