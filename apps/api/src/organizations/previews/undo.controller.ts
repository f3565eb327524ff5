import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { auditors, words } from '@charter/organization';
import { Answers, ok } from '../../http/declared-answers';
import { type OrganizationCall, CurrentCall } from '../../http/request-context';
import { UndoEvents } from './undo.handler';
import { UndoAnswer, UndoRequest } from './undo.requests';
import { NoQuery } from '../../http/input/validation';

/** The route that computes the commands of an undo. */
@ApiTags('Commands and previews')
@Controller('api/v1/organizations/:id')
export class UndoController {
  constructor(private readonly queries: QueryBus) {}

  @Post('undo')
  @HttpCode(200)
  @ApiOperation({
    summary: 'The commands that undo events; nothing is written',
    description:
      'Send `event` for one event, `events` with the first and the last event of one commit, or `to` for all events after a revision. With `to`, `only` limits the undo to paths of the keyed document. The answer has at most 20 commands and their preview. Send the commands with `shown` of the preview to `commands`. The read is recorded as a read of the history.',
  })
  @Answers(auditors, ok(UndoAnswer), [409])
  async undo(
    @Param('id', { schema: words.Id }) id: string,
    @Body({ schema: UndoRequest }) request: UndoRequest,
    @Query({ schema: NoQuery }) _query: NoQuery,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.queries.execute(new UndoEvents(id, request, call));
  }
}
