import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { supervisors, words } from '@charter/organization';
import { sendTagged } from '../../http/answers';
import { Answers, tagged } from '../../http/declared-answers';
import { type OrganizationCall, CurrentCall } from '../../http/request-context';
import { OrganizationReaders } from './readers.handler';
import { ReadersAnswer, ReadersQuery } from './readers.requests';

/** The readers of an organization's history. */
@ApiTags('History')
@Controller('api/v1/organizations/:id')
export class ReadersController {
  constructor(private readonly queries: QueryBus) {}

  @Get('readers')
  @ApiOperation({
    summary: 'The people and keys that read, followed or exported the history, by hour',
    description:
      'Newest hour first. `from` and `to` are moments; each includes its whole hour. A new read appears within a minute, also a read by the caller. For a person with a platform role, owners see only the role; operators and auditors also see the name. Requests to this route are not recorded. API keys get 403.',
  })
  @Answers(supervisors, tagged(ReadersAnswer))
  async readers(
    @Param('id', { schema: words.Id }) id: string,
    @Query({ schema: ReadersQuery }) query: ReadersQuery,
    @CurrentCall() call: OrganizationCall,
  ) {
    const { answer, tag, lag } = await this.queries.execute(new OrganizationReaders(id, query, call));
    call.response.set(lag);
    return sendTagged(answer, tag, call);
  }
}
