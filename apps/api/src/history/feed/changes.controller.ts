import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { ReadingFact } from '@charter/identity';
import { auditors, organizationStream, words } from '@charter/organization';
import type { Response } from 'express';
import { z } from 'zod';
import { Answers } from '../../http/declared-answers';
import type { RequestWithContext } from '../../http/request-context';
import { prefersEventStream } from '../../http/server-sent-events';
import { changeFeed } from '../history.answers';
import { NDJSON } from '../ndjson';
import { answerChanges, lastEventIdOf } from './answer-changes';
import { ChangeFeedRoute } from './change-feed-route';
import { allChanges, changesOf } from './change-source';
import { feedPositionAfter, FeedStart, positionInStream } from './feed-cursor';
import { eventVisibilityOf, organizationVisibilityOf } from './visibility';

const ChangesQuery = z.strictObject({ after: FeedStart.optional(), organization: words.Id.optional() });

/** The change feed of all organizations whose history the caller may read. */
@ApiTags('History')
@Controller('api/v1/events')
export class ChangesController extends ChangeFeedRoute {
  @Get()
  @ApiOperation({
    summary: 'The change feed: the events of all organizations that the caller may audit',
    description:
      'With `Accept: text/event-stream` the feed never ends, and continues after the event in `Last-Event-ID`. Otherwise the answer has the events until now as NDJSON. Each line has a `cursor`; `after` takes a cursor, or `end`. With `organization`, the answer has only the events of this organization. The answer is 409 `unknown-checkpoint` if the cursor belongs to another store, or if a restored store does not contain the event of the cursor.',
  })
  @Answers(auditors, changeFeed, [404, 409])
  async changes(
    @Query({ schema: ChangesQuery }) { after: start, organization }: z.infer<typeof ChangesQuery>,
    @Req() request: RequestWithContext,
    @Res() response: Response,
  ): Promise<void> {
    const { runtime } = this;
    const { log } = runtime;
    const begin = lastEventIdOf(request) ?? start;
    const isLive = prefersEventStream(request, [NDJSON]);
    if (organization !== undefined) {
      const sight = await organizationVisibilityOf(runtime, request, organization);
      const stream = organizationStream(organization);
      const after = await positionInStream(log, stream, begin);
      const fact = { type: 'HistoryRead', data: { organization } } as const;
      await answerChanges(runtime, { request, response, source: changesOf(log, stream), after, sight, fact, isLive });
      return;
    }
    const { only } = request.charter.caller;
    // Reads the position first: if the caller joins an organization after it, the feed contains this event.
    const after = await feedPositionAfter(log, begin);
    const sight = await eventVisibilityOf(runtime, request);
    const fact: ReadingFact =
      only === undefined ? { type: 'ChangesRead', data: {} } : { type: 'HistoryRead', data: { organization: only } };
    await answerChanges(runtime, { request, response, source: allChanges(log), after, sight, fact, isLive });
  }
}
