import { Body, Controller, Delete, Get, Inject, Param, Put, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { schemaOf, words, owners } from '@charter/organization';
import { SingleSignOnAnswer } from '@charter/organization-view';
import { z } from 'zod';
import { Answers, tagged } from '../../http/declared-answers';
import { receipt } from '../../organizations/organization.answers';
import { sendAnswer, sendReceipt } from '../../http/answers';
import { WhenQuery } from '../../organizations/organization.requests';
import type { QueryTime } from '../../organizations/organization-reader';
import { type OrganizationCall, CurrentCall } from '../../http/request-context';
import { IdempotencyInterceptor } from '../../http/idempotency';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { ConfigureSingleSignOnCommand, RemoveSingleSignOnCommand, SingleSignOnSettings } from './sso-settings.handlers';

/**
 * A client id or a client secret: printable ASCII without spaces (RFC 6749 allows spaces, but no provider uses them).
 */
const credential = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces');

/** The settings of an organization's OpenID provider. No answer contains the client secret. */
export const SingleSignOn = schemaOf('ConfigureSingleSignOn').extend({
  clientId: credential,
  clientSecret: credential,
});

const Id = { schema: words.Id };

/** An organization's own OpenID Connect provider (`api.md`; `decisions.md`, Signing in, 6). */
@ApiTags('Organizations')
@UseInterceptors(IdempotencyInterceptor)
@Controller('api/v1/organizations/:id/single-sign-on')
export class SingleSignOnSettingsController {
  constructor(
    @Inject(ORGANIZATION_ACCESS) private readonly runtime: Pick<OrganizationAccess, 'projection'>,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @ApiOperation({
    summary: "Read the organization's own OpenID Connect provider, and the URLs to register there",
    description:
      'Issuer and client are null if no provider is configured. No answer contains the secret. `asOf` and `valid` need the auditing right instead of the role owner.',
  })
  @Answers(owners, tagged(SingleSignOnAnswer))
  async read(
    @Param('id', Id) id: string,
    @Query({ schema: WhenQuery }) when: QueryTime,
    @CurrentCall() { context, request, response }: OrganizationCall,
  ) {
    const answered = await this.queries.execute(new SingleSignOnSettings(id, when, { ...context, response }));
    return sendAnswer(this.runtime, answered, request, response);
  }

  @Put()
  @ApiOperation({
    summary:
      'Let members sign in through an OpenID Connect provider; its discovery document is read before it is stored',
  })
  @Answers(owners, receipt('SingleSignOnConfigured', { issuer: 'https://login.example.com', clientId: 'charter' }))
  async configure(
    @Param('id', Id) id: string,
    @Body({ schema: SingleSignOn }) { clientSecret, issuer: named, clientId }: z.infer<typeof SingleSignOn>,
    @CurrentCall() call: OrganizationCall,
  ) {
    const settings = { issuer: named, clientId, clientSecret };
    const receipt = await this.commands.execute(new ConfigureSingleSignOnCommand(id, settings, call.context));
    return sendReceipt(receipt, call.response);
  }

  @Delete()
  @ApiOperation({
    summary: 'Remove the OpenID Connect provider; existing sessions last until they end',
  })
  @Answers(owners, receipt('SingleSignOnRemoved', {}))
  async remove(@Param('id', Id) id: string, @CurrentCall() call: OrganizationCall) {
    const receipt = await this.commands.execute(new RemoveSingleSignOnCommand(id, call.context));
    return sendReceipt(receipt, call.response);
  }
}
