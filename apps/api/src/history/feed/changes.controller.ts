import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Charter } from '@charter/application';
import type { ReadingFact } from '@charter/identity';
import { auditors, organizationStream, words } from '@charter/organization';
import type { Response } from 'express';
import { z } from 'zod';
import { Answers } from '../../http/declared-answers';
import type { RequestWithContext } from '../../http/request-context';
import { type Authentication, AUTHENTICATION } from '../../process/parts/authentication';
import { type Clock, CLOCK } from '../../process/parts/clock';
import { type Gates, GATES } from '../../process/parts/gates';
import { type Lifecycle, LIFECYCLE } from '../../process/parts/lifecycle';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { STORES } from '../../process/parts/stores';
import { changeFeed } from '../history.answers';
import { NDJSON } from '../ndjson';
import { answerChanges, type ChangesRuntime, lastEventIdOf, prefersEventStream } from './answer-changes';
import { allChanges, changesOf, feedPrefixes } from './change-source';
import { feedPositionAfter, FeedStart, positionInStream } from './feed-cursor';
import { eventVisibilityOf, organizationVisibilityOf } from './visibility';

const ChangesQuery = z.strictObject({ after: FeedStart.optional(), organization: words.Id.optional() });

/** The change feed of all organizations whose history the caller may read. */
@ApiTags('History')
@Controller('api/v1/events')
export class ChangesController {
  private readonly runtime: ChangesRuntime & Pick<Charter, 'view' | 'organizations'> & Pick<Authentication, 'callers'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(LIFECYCLE) lifecycle: Lifecycle,
    @Inject(GATES) gates: Gates,
    @Inject(AUTHENTICATION) authentication: Authentication,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
  ) {
    this.runtime = { ...stores, ...clock, ...lifecycle, ...gates, ...authentication, ...access };
  }

  @Get()
  @ApiOperation({
    summary: 'The change feed: the events of all organizations that the caller may audit',
    description:
      'With `Accept: text/event-stream` the feed never ends, and continues after the event in `Last-Event-ID`. Otherwise the events until now come as NDJSON. Each line has a `cursor`; `after` takes a cursor, or `end`. `organization` is the id of the only organization whose events are wanted. A cursor is 409 `unknown-checkpoint` if it belongs to another store, or if a restored store does not contain its event.',
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
    const sight = await eventVisibilityOf(runtime, request);
    const after = await feedPositionAfter(log, begin, feedPrefixes);
    const fact: ReadingFact =
      only === undefined ? { type: 'ChangesRead', data: {} } : { type: 'HistoryRead', data: { organization: only } };
    await answerChanges(runtime, { request, response, source: allChanges(log), after, sight, fact, isLive });
  }
}
