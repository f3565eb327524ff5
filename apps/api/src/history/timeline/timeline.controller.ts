import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { auditors, words } from '@charter/organization';
import { sendTagged } from '../../http/answers';
import { Answers, tagged } from '../../http/declared-answers';
import { type OrganizationCall, CurrentCall } from '../../http/request-context';
import { OrganizationTimeline } from './timeline.handler';
import { TimelineAnswer, TimelineQuery } from './timeline.requests';

/** An overview of an organization's history, for the console's time bar. */
@ApiTags('History')
@Controller('api/v1/organizations/:id')
export class TimelineController {
  constructor(private readonly queries: QueryBus) {}

  @Get('timeline')
  @ApiOperation({
    summary: 'The number of events in each part of a history, its most important events, and when limits were exceeded',
    description:
      '`axis` divides the history by event or by time into `bins` parts (1 to 480). `about` is a path such as `/members/ID`: bins and marks then count only the events about it. `asOf` ends the history at a revision or moment. `marks` are changes of plans, add-ons and limits, and closing; `over` are the times in which a limit was exceeded; each has the newest 500.',
  })
  @Answers(auditors, tagged(TimelineAnswer))
  async timeline(
    @Param('id', { schema: words.Id }) id: string,
    @Query({ schema: TimelineQuery }) query: TimelineQuery,
    @CurrentCall() call: OrganizationCall,
  ) {
    const { answer, tag } = await this.queries.execute(new OrganizationTimeline(id, query, call));
    return sendTagged(answer, tag, call);
  }
}
