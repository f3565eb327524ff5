import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { auditors, words } from '@charter/organization';
import { pointerOf } from '@charter/organization-view';
import { sendTagged } from '../../http/answers';
import { contentTags } from '../../http/content-tags';
import { Answers, tagged } from '../../http/declared-answers';
import { type OrganizationCall, CurrentCall } from '../../http/request-context';
import { OrganizationValueChanges } from './value-changes.handler';
import { ValueChangesAnswer, valueChangesCursor, ValueChangesQuery } from './value-changes.requests';

/** All values that a field of an organization had, with the events that changed the field. */
@ApiTags('History')
@Controller('api/v1/organizations/:id')
export class ValueChangesController {
  constructor(private readonly queries: QueryBus) {}

  @Get('changes')
  @ApiOperation({
    summary: 'Each value that one field had, with the events that changed it',
    description:
      '`path` is a JSON pointer into the document, whose lists have the ids as keys, or into `/limits`, `/features` or `/traffic` of the entitlements. A path to an object has one entry for each event that changed something below it; `before` and `after` then have only the fields or entries that changed. The newest change is first, unless `order` is `oldest`.',
  })
  @Answers(auditors, tagged(ValueChangesAnswer))
  async changes(
    @Param('id', { schema: words.Id }) id: string,
    @Query({ schema: ValueChangesQuery }) query: ValueChangesQuery,
    @CurrentCall() call: OrganizationCall,
  ) {
    const { changes, next } = await this.queries.execute(new OrganizationValueChanges(id, query, call));
    const answer = {
      path: pointerOf(query.path),
      changes,
      next: next === null ? null : valueChangesCursor(query.order, next),
    };
    return sendTagged(answer, tagOf(answer), call);
  }
}

const tagOf = contentTags(ValueChangesAnswer);
