import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { auditors, words } from '@charter/organization';
import { Answers, text } from '../../http/declared-answers';
import { type OrganizationCall, CurrentCall } from '../../http/request-context';
import { SignedNote } from '../history.answers';
import { OrganizationCheckpoint } from './organization-checkpoint.handler';
import { NoQuery } from '../../http/input/validation';

@ApiTags('History')
@Controller('api/v1/organizations/:id')
export class OrganizationCheckpointController {
  constructor(private readonly queries: QueryBus) {}

  @Get('checkpoint')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @ApiOperation({
    summary: "A signed note over the last event of the organization's history, without its events",
    description:
      'The note has the origin `charter/STORE/organizations/ID`. It proves which events existed at this moment. Charter signs no history that contradicts its last signed checkpoint.',
  })
  @Answers(auditors, text(SignedNote))
  async checkpoint(
    @Param('id', { schema: words.Id }) id: string,
    @Query({ schema: NoQuery }) _query: NoQuery,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.queries.execute(new OrganizationCheckpoint(id, call));
  }
}
