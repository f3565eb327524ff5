import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Charter } from '@charter/application';
import { flagReaders, organizationStream } from '@charter/organization';
import type { Response } from 'express';
import { z } from 'zod';
import { lastEventIdOf } from '../../history/feed/answer-changes';
import { allChanges, changesOf } from '../../history/feed/change-source';
import { cursorAt, feedCursor, feedPositionAfter, FeedStart, newestEvent } from '../../history/feed/feed-cursor';
import { type EventVisibility, eventVisibilityOf } from '../../history/feed/visibility';
import { NDJSON } from '../../history/ndjson';
import { Answers } from '../../http/declared-answers';
import type { RequestWithContext } from '../../http/request-context';
import { prefersEventStream } from '../../http/server-sent-events';
import { type Authentication, AUTHENTICATION } from '../../process/parts/authentication';
import { FLAG_STREAMS, type FlagStreams } from '../../process/parts/flag-streams';
import { type Gates, GATES } from '../../process/parts/gates';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { STORES } from '../../process/parts/stores';
import { readParked } from './change-reader';
import { entitlementChanges } from './entitlement-changes.answers';
import { printedNotice, withCursors } from './entitlement-notices';
import { type MissedChanges, readMissedChanges } from './missed-changes';

const ChangesQuery = z.strictObject({ after: FeedStart.optional() });

/** The stream of changed entitlements, for programs that keep the entitlements in memory. */
@ApiTags('Flags')
@Controller('api/v1/entitlement-changes')
export class EntitlementChangesController {
  private readonly runtime: Charter & Authentication & Gates & OrganizationAccess & FlagStreams;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(AUTHENTICATION) authentication: Authentication,
    @Inject(GATES) gates: Gates,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
    @Inject(FLAG_STREAMS) streams: FlagStreams,
  ) {
    this.runtime = { ...stores, ...authentication, ...gates, ...access, ...streams };
  }

  @Get()
  @ApiOperation({
    summary: 'The organizations whose entitlements change, and the names of the changed limits and features',
    description:
      'With `Accept: text/event-stream` the answer never ends, and continues after the event in `Last-Event-ID`. Otherwise the answer has the changes until now as NDJSON, and the header `Charter-Cursor` has the cursor for the next request. The answer has no values: read the entitlements again. Without a cursor, the answer begins now. The answer is 409 `unknown-checkpoint` if the cursor is too old or belongs to another store; then read all entitlements again.',
  })
  @Answers(flagReaders, entitlementChanges, [409])
  async changes(
    @Query({ schema: ChangesQuery }) { after = 'end' }: z.infer<typeof ChangesQuery>,
    @Req() request: RequestWithContext,
    @Res() response: Response,
  ): Promise<void> {
    const { runtime } = this;
    const { log } = runtime;
    const start = lastEventIdOf(request) ?? after;
    const isStream = prefersEventStream(request, [NDJSON]);
    const { actor, only } = request.charter.caller;
    // Reads the position first: if the caller joins an organization after it, the stream contains this event.
    const newest = start === 'end' ? await newestEvent(log) : undefined;
    const position = start === 'end' ? newest?.position : await feedPositionAfter(log, start);
    const sight = await eventVisibilityOf(runtime, request, flagReaders);
    const source = only === undefined ? allChanges(log) : changesOf(log, organizationStream(only));
    const read = (from: MissedChanges['position']) => readMissedChanges(runtime, source, from, sight);
    const begin = async (): Promise<MissedChanges> => {
      if (start !== 'end') return read(position);
      if (!newest) return { changes: [], position, cursor: undefined, isComplete: true };
      // Without this wait, the client could read values without an event before the answer, and would keep them.
      const { parkedEvents, resumable } = await readParked(runtime, newest);
      const cursor = resumable && feedCursor(await log.identity(), resumable);
      return { changes: [], position, cursor, isComplete: parkedEvents.size === 0 };
    };
    const asker = { actor, response, organizations: sight.organizations };
    if (isStream)
      await runtime.listenerGate(asker, async () =>
        this.stream({ response, sight, only, missed: await begin(), read }),
      );
    else
      await runtime.gate(asker, async () => {
        const { changes, cursor = start === 'end' ? undefined : cursorAt(start) } = await begin();
        response
          .set({ 'Content-Type': NDJSON, ...(cursor !== undefined && { 'Charter-Cursor': cursor }) })
          .end(changes.map((change) => `${JSON.stringify({ ...change, cursor })}\n`).join(''));
      });
  }

  /**
   * The read after `listen` finds the events between the first read and `listen`. Notices wait until the missed changes
   * are sent, so that the cursor of a notice never lies after a change that was not sent. The cursor also never lies
   * after an event of a parked stream, because the client must get this change again after the repair.
   */
  private async stream({ response, sight, only, missed, read }: OpenedStream): Promise<void> {
    const { streams, entitlementNotices } = this.runtime;
    const stream = streams.open(response, sight.renew);
    let waitingNotices: string[] | undefined = [];
    const send = (text: string) => (waitingNotices ? void waitingNotices.push(text) : stream.send(text));
    const sendMissed = (changes: MissedChanges['changes'], cursor: MissedChanges['cursor']) => {
      if (changes.length > 0) stream.send(withCursors(changes.map(printedNotice), undefined, cursor));
    };
    const leaving = entitlementNotices.listen({ stream: { ...stream, send }, sight, only });
    try {
      await leaving;
      const later = await read(missed.position);
      sendMissed(missed.changes, missed.cursor);
      sendMissed(later.changes, missed.isComplete ? later.cursor : undefined);
      waitingNotices.forEach(stream.send);
      waitingNotices = undefined;
      await stream.ended;
    } catch {
      stream.end(); // the client reconnects with its cursor
    } finally {
      void leaving.then(({ leave }) => leave()).catch(() => undefined);
    }
  }
}

type OpenedStream = Readonly<{
  response: Response;
  sight: EventVisibility;
  only: string | undefined;
  missed: MissedChanges;
  read: (after: MissedChanges['position']) => Promise<MissedChanges>;
}>;
