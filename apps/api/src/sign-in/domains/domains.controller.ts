import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { domainOwners, words } from '@charter/organization';
import { z } from 'zod';
import { Answers, created, noContent, ok } from '../../http/declared-answers';
import { IdempotencyInterceptor } from '../../http/idempotency';
import { PageLimit } from '../../http/input/paging';
import { CurrentCall, type OrganizationCall } from '../../http/request-context';
import { WhenQuery } from '../../organizations/organization.requests';
import { PeopleOnly } from '../../operators/operator-guards';
import { VerifiedDomain, VerifiedDomainPage } from './domain.answers';
import { ChangeDomain, CheckDomain, ClaimDomain, ListDomains, ReleaseDomain } from './domains.handlers';

const Confirmation = z.strictObject({ password: z.string() });
const NewDomain = Confirmation.extend({ domain: words.Hostname });
const DomainSwitches = Confirmation.extend({
  automaticMembership: z.boolean().optional(),
  managed: z.boolean().optional(),
});
const DomainsQuery = WhenQuery.omit({ atLeast: true }).extend({ cursor: words.Hostname.optional(), limit: PageLimit });

const Id = { schema: words.Id };
const Domain = { schema: words.Hostname };

/**
 * The domains of an organization's e-mail addresses (`decisions.md`, Signing in, 21). A domain decides who may sign in,
 * so these routes accept no API key.
 */
@ApiTags('Organizations')
@UseGuards(PeopleOnly)
@UseInterceptors(IdempotencyInterceptor)
@Controller('api/v1/organizations/:id/verified-domains')
export class VerifiedDomainsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the claimed and proven e-mail domains, sorted by name',
    description:
      '`asOf` and `valid` need the auditing right instead of the role owner. An answer about an earlier moment contains no results of the daily checks.',
  })
  @Answers(domainOwners, ok(VerifiedDomainPage))
  async list(
    @Param('id', Id) id: string,
    @Query({ schema: DomainsQuery }) { cursor, limit, ...when }: z.infer<typeof DomainsQuery>,
    @CurrentCall() { context, response }: OrganizationCall,
  ) {
    return this.queries.execute(new ListDomains(id, when, { after: cursor, limit }, { ...context, response }));
  }

  @Post()
  @ApiOperation({
    summary: 'Claim an e-mail domain; the answer contains the DNS record to publish. Requires the password again',
  })
  @Answers(domainOwners, created(VerifiedDomain))
  async claim(
    @Param('id', Id) id: string,
    @Body({ schema: NewDomain }) { domain, password }: z.infer<typeof NewDomain>,
    @CurrentCall() { context, request }: OrganizationCall,
  ) {
    return this.commands.execute(new ClaimDomain(id, domain, { context, request, password }));
  }

  @Post(':domain/check')
  @HttpCode(200)
  @ApiOperation({ summary: 'Look for the DNS record now; if it exists, the domain is proven. Requires the password' })
  @Answers(domainOwners, ok(VerifiedDomain))
  async check(
    @Param('id', Id) id: string,
    @Param('domain', Domain) domain: string,
    @Body({ schema: Confirmation }) { password }: z.infer<typeof Confirmation>,
    @CurrentCall() { context, request }: OrganizationCall,
  ) {
    return this.commands.execute(new CheckDomain(id, domain, { context, request, password }));
  }

  @Patch(':domain')
  @ApiOperation({
    summary:
      'Choose whether people of a proven domain become members when they sign in, and whether they may use a password. Requires the password again',
  })
  @Answers(domainOwners, ok(VerifiedDomain))
  async change(
    @Param('id', Id) id: string,
    @Param('domain', Domain) domain: string,
    @Body({ schema: DomainSwitches }) { password, ...switches }: z.infer<typeof DomainSwitches>,
    @CurrentCall() { context, request }: OrganizationCall,
  ) {
    return this.commands.execute(new ChangeDomain(id, { domain, ...switches }, { context, request, password }));
  }

  @Delete(':domain')
  @HttpCode(204)
  @ApiOperation({ summary: 'Give up a domain; its switches end, and sign-in with a password works again' })
  @Answers(domainOwners, noContent())
  async release(
    @Param('id', Id) id: string,
    @Param('domain', Domain) domain: string,
    @CurrentCall() { context }: OrganizationCall,
  ) {
    await this.commands.execute(new ReleaseDomain(id, domain, context));
  }
}
