import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { auditors, words } from '@charter/organization';
import { sendTagged } from '../../http/answers';
import { contentTags } from '../../http/content-tags';
import { Answers, tagged } from '../../http/declared-answers';
import { type OrganizationCall, CurrentCall } from '../../http/request-context';
import { OrganizationSteps } from './steps.handler';
import { StepsAnswer, StepsQuery } from './steps.requests';

/** The history of an organization as a list of changes, for a client that shows the history step by step. */
@ApiTags('History')
@Controller('api/v1/organizations/:id')
export class StepsController {
  constructor(private readonly queries: QueryBus) {}

  @Get('steps')
  @ApiOperation({
    summary: 'For each event of a range, the changes that it makes to the document and the entitlements',
    description:
      '`from` is the revision of `base`; the steps are the events after it, up to `to` (200 at most). `base` and then each step give the answers of `?asOf=` with the same revision, except that the lists of the document are objects with the ids as keys. Each patch (RFC 6902) also has the previous values, so that it can be reversed. `base=false` leaves the base out; `only` names parts, separated by commas.',
  })
  @Answers(auditors, tagged(StepsAnswer))
  async steps(
    @Param('id', { schema: words.Id }) id: string,
    @Query({ schema: StepsQuery }) query: StepsQuery,
    @CurrentCall() call: OrganizationCall,
  ) {
    const { base, ...block } = await this.queries.execute(new OrganizationSteps(id, query, call));
    const answer = { organization: id, ...block, ...(query.base && { base }) };
    return sendTagged(answer, tagOf(answer), call);
  }
}

const tagOf = contentTags(StepsAnswer);
