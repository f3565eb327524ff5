import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { auditors, words } from '@charter/organization';
import { Answers, ok } from '../../http/declared-answers';
import { type OrganizationCall, CurrentCall } from '../../http/request-context';
import { OrganizationNames } from './names.handler';
import { NamesAnswer, NamesRequest } from './names.requests';
import { NoQuery } from '../../http/input/validation';

/** The route for the names of the people and API keys whose ids a history contains. */
@ApiTags('History')
@Controller('api/v1/organizations/:id')
export class NamesController {
  constructor(private readonly queries: QueryBus) {}

  @Post('names')
  @HttpCode(200)
  @ApiOperation({
    summary: 'The names of actors and members in a history',
    description:
      'Send 1 to 100 ids. The answer contains only ids that the events of this organization contain. The names are the current names, because events contain only ids. For a person with a platform role, owners and administrators see only the role; operators and auditors also see the name. The request writes nothing to the history.',
  })
  @Answers(auditors, ok(NamesAnswer))
  async names(
    @Param('id', { schema: words.Id }) id: string,
    @Body({ schema: NamesRequest }) { ids }: NamesRequest,
    @Query({ schema: NoQuery }) _query: NoQuery,
    @CurrentCall() call: OrganizationCall,
  ) {
    return { organization: id, names: await this.queries.execute(new OrganizationNames(id, ids, call)) };
  }
}
