import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Refused } from '@charter/aggregates';
import { noSuchSite, readers, words } from '@charter/organization';
import { oneSite, SiteAnswer, siteList } from '@charter/organization-view';
import { sendAnswer } from '../../http/answers';
import { Answers, tagged } from '../../http/declared-answers';
import { CurrentCall, type OrganizationCall } from '../../http/request-context';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { QueryOrganization } from '../organization.handlers';
import type { QueryTime } from '../organization-reader';
import { WhenQuery } from '../organization.requests';
import { SitePage, sitesCursor, SitesQuery } from './sites.requests';

/** The sites of an organization. */
@ApiTags('Organizations')
@Controller('api/v1/organizations/:id/sites')
export class SitesController {
  constructor(
    private readonly queries: QueryBus,
    @Inject(ORGANIZATION_ACCESS) private readonly access: Pick<OrganizationAccess, 'projection'>,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'The sites, in pages',
    description:
      '`q` is a text in the name or the hostname; `sort` is `name`, `hostname` or `-since` (the newest first). `inAll` counts the sites that match.',
  })
  @Answers(readers, tagged(SitePage))
  async sites(
    @Param('id', { schema: words.Id }) id: string,
    @Query({ schema: SitesQuery }) { q, sort, cursor, limit, ...when }: SitesQuery,
    @CurrentCall() { context, request, response }: OrganizationCall,
  ) {
    const wanted = { q, sort, after: cursor && ([cursor[1], cursor[2]] as const), limit };
    const { answer, tag } = await this.queries.execute(
      new QueryOrganization(id, siteList(id, wanted), when, { ...context, response }),
    );
    return sendAnswer(
      this.access,
      { answer: { ...answer, next: sitesCursor(sort, answer.next) }, tag },
      request,
      response,
    );
  }

  @Get(':site')
  @ApiOperation({
    summary: 'One site, with the reason of each feature',
    description:
      '`because` is `site` for a value of its own, `plan` for the value of the plan, and `closed` if the organization is closed. `event` is the event since which this reason has applied.',
  })
  @Answers(readers, tagged(SiteAnswer), [404])
  async site(
    @Param('id', { schema: words.Id }) id: string,
    @Param('site', { schema: words.Id }) site: string,
    @Query({ schema: WhenQuery }) when: QueryTime,
    @CurrentCall() { context, request, response }: OrganizationCall,
  ) {
    const { answer, tag } = await this.queries.execute(
      new QueryOrganization(id, oneSite(id, site), when, { ...context, response }),
    );
    if (!answer) throw new Refused(noSuchSite);
    return sendAnswer(this.access, { answer, tag }, request, response);
  }
}
