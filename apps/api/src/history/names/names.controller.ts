import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { auditors } from '@charter/organization';
import { Answers, ok } from '../../http/declared-answers';
import { type OrganizationCall, CurrentCall } from '../../http/request-context';
import { OrganizationIdParam } from '../history.requests';
import { OrganizationNames } from './names.handler';
import { NamesAnswer, NamesRequest } from './names.requests';

/** The names behind the ids of a history. */
@ApiTags('History')
@Controller('api/v1/organizations/:id')
export class NamesController {
  constructor(private readonly queries: QueryBus) {}

  @Post('names')
  @HttpCode(200)
  @ApiOperation({
    summary: 'The names of actors and members in a history',
    description:
      'Takes 1 to 100 ids. The answer contains only ids that the events of this organization name. Names are of today, because events hold ids only. Owners and administrators see people with a platform role by role; operators and auditors see their names. Nothing is written to the history.',
  })
  @Answers(auditors, ok(NamesAnswer))
  async names(
    @Param('id', { schema: OrganizationIdParam }) id: string,
    @Body({ schema: NamesRequest }) { ids }: NamesRequest,
    @CurrentCall() call: OrganizationCall,
  ) {
    return { organization: id, names: await this.queries.execute(new OrganizationNames(id, ids, call)) };
  }
}
