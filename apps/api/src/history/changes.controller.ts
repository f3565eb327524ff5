import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Refused } from '@charter/aggregates';
import { auditors } from '@charter/organization';
import type { Response } from 'express';
import { z } from 'zod';
import { Answers } from '../http/declared-answers';
import { changeFeed } from './history.answers';
import type { RequestWithContext } from '../http/request-context';
import { problemOf } from '../http/problems/problem';
import { validated } from '../http/input/validation';
import { visibleChanges, cachedHead, feedPrefixes, sendChanges } from './change-feed';
import { FeedStart, feedPositionAfter } from './feed-cursor';
import { NDJSON, sendNdjson, asJsonLines } from './ndjson';
import { eventVisibilityOf } from './visibility';
import type { Charter } from '@charter/application';
import { STORES } from '../process/parts/stores';
import { type Clock, CLOCK } from '../process/parts/clock';
import { type Lifecycle, LIFECYCLE } from '../process/parts/lifecycle';
import { type Gates, GATES } from '../process/parts/gates';
import { type Authentication, AUTHENTICATION } from '../process/parts/authentication';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';

const EVENT_STREAM = 'text/event-stream';
const ChangesQuery = z.strictObject({ after: FeedStart.optional() });

/** The change feed of all organizations whose history the caller may read. */
@ApiTags('History')
@Controller('api/v1/events')
export class ChangesController {
  private readonly head: ReturnType<typeof cachedHead>;
  private readonly runtime: Pick<Charter, 'log' | 'view' | 'organizations'> &
    Clock &
    Lifecycle &
    Pick<Gates, 'gate' | 'feedGate'> &
    Pick<Authentication, 'callers'> &
    Pick<OrganizationAccess, 'recordRead'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(LIFECYCLE) lifecycle: Lifecycle,
    @Inject(GATES) gates: Gates,
    @Inject(AUTHENTICATION) authentication: Authentication,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
  ) {
    this.runtime = { ...stores, ...clock, ...lifecycle, ...gates, ...authentication, ...access };
    this.head = cachedHead(stores.log);
  }

  @Get()
  @ApiOperation({
    summary: 'The change feed: the events of all organizations that the caller may audit',
    description:
      'With `Accept: text/event-stream` the feed never ends, and continues after the event in `Last-Event-ID`. Otherwise the events until now come as NDJSON. Each line has a `cursor`; `after` takes a cursor, or `end`. A cursor is 409 `unknown-checkpoint` if it belongs to another store, or if a restored store does not contain its event.',
  })
  @Answers(auditors, changeFeed, [409])
  async changes(
    @Query({ schema: ChangesQuery }) query: z.infer<typeof ChangesQuery>,
    @Req() request: RequestWithContext,
    @Res() response: Response,
  ): Promise<void> {
    const { runtime, head } = this;
    const { log, gate, feedGate } = runtime;
    const { actor, only } = request.charter.caller;
    const lastSeen = request.get('Last-Event-ID');
    const resumed = lastSeen
      ? validated(z.object({ 'Last-Event-ID': FeedStart }), { 'Last-Event-ID': lastSeen })
      : undefined;
    const sight = await eventVisibilityOf(runtime, request);
    const after = await feedPositionAfter(log, resumed?.['Last-Event-ID'] ?? query.after, feedPrefixes);
    const record = () =>
      runtime.recordRead(
        only === undefined ? { type: 'ChangesRead', data: {} } : { type: 'HistoryRead', data: { organization: only } },
        { actor, at: new Date(runtime.now()).toISOString(), correlation: request.charter.id },
      );
    await record();
    const isLive = request.method !== 'HEAD' && request.accepts([NDJSON, EVENT_STREAM]) === EVENT_STREAM;
    const asker = { actor, response };
    if (!isLive) {
      await gate(asker, (gone, releaseSlotWhile) =>
        sendNdjson(asJsonLines(visibleChanges(log, after, sight)), {}, { request, response, gone, releaseSlotWhile }),
      );
      return;
    }
    await feedGate({ ...asker, organizations: sight.organizations }, (gone, releaseSlotWhile) =>
      sendChanges({ runtime, response, after, sight, head, record, gone, releaseSlotWhile }).catch((error: unknown) => {
        if (!response.headersSent || !isNoLongerAllowed(error)) throw error;
      }),
    );
    response.end();
  }
}

/**
 * The feed ends when the key is revoked, the session ends or the role is removed. The client's next request gets the
 * reason in the answer.
 */
const isNoLongerAllowed = (error: unknown): boolean =>
  error instanceof Refused || problemOf(error).problem.status === 401;
