import { Refused } from '@charter/aggregates';
import type { Charter } from '@charter/application';
import { momentAt } from '@charter/decider';
import type { Position } from '@charter/event-log';
import type { ReadingFact } from '@charter/identity';
import type { Response } from 'express';
import { z } from 'zod';
import { validated } from '../../http/input/validation';
import { problemOf } from '../../http/problems/problem';
import type { RequestWithContext } from '../../http/request-context';
import type { Clock } from '../../process/parts/clock';
import type { Gates } from '../../process/parts/gates';
import type { Lifecycle } from '../../process/parts/lifecycle';
import type { OrganizationAccess } from '../../process/parts/organization-access';
import { asJsonLines, sendNdjson } from '../ndjson';
import { sendChanges, visibleChanges } from './change-feed';
import type { ChangeSource } from './change-source';
import { FeedStart } from './feed-cursor';
import type { EventVisibility } from './visibility';

/** The cursor after which a reconnecting client resumes; undefined if the request has no `Last-Event-ID`. */
export function lastEventIdOf(request: RequestWithContext): FeedStart | undefined {
  const lastSeen = request.get('Last-Event-ID');
  if (!lastSeen) return undefined;
  return validated(z.object({ 'Last-Event-ID': FeedStart }), { 'Last-Event-ID': lastSeen })['Last-Event-ID'];
}

export type ChangesRuntime = Pick<Charter, 'log'> &
  Clock &
  Lifecycle &
  Pick<Gates, 'gate' | 'feedGate'> &
  Pick<OrganizationAccess, 'recordRead'>;

export type ChangesAnswer = Readonly<{
  request: RequestWithContext;
  response: Response;
  source: ChangeSource;
  after: Position | undefined;
  sight: EventVisibility;
  /** The audit fact about the read, for the reader's audit stream. */
  fact: ReadingFact;
  /**
   * Whether the feed also sends later events as they are appended. If false, the answer ends with the last recorded
   * event.
   */
  isLive: boolean;
}>;

/** Records the read, and sends the events that the caller may see. */
export async function answerChanges(
  runtime: ChangesRuntime,
  { request, response, source, after, sight, fact, isLive }: ChangesAnswer,
): Promise<void> {
  const { log, gate, feedGate } = runtime;
  const asker = { actor: sight.actor(), response };
  const record = () =>
    runtime.recordRead(fact, { actor: sight.actor(), at: momentAt(runtime.now()), correlation: request.charter.id });
  // records the read before the answer begins, but only after the gate has admitted the request
  if (!isLive) {
    await gate(asker, async (gone, releaseSlotWhile) => {
      await record();
      const lines = asJsonLines(visibleChanges(log, { source, after, sight, gone }));
      await sendNdjson(lines, {}, { request, response, gone, releaseSlotWhile });
    });
    return;
  }
  await feedGate({ ...asker, organizations: sight.organizations }, async (gone, releaseSlotWhile) => {
    await record();
    const feed = { runtime, response, source, after, sight, record, gone, releaseSlotWhile };
    await sendChanges(feed).catch((error: unknown) => {
      if (!response.headersSent || !isNoLongerAllowed(error)) throw error;
    });
  });
  response.end();
}

/**
 * The feed ends when the caller's API key is revoked, the session ends or the role is removed. The answer to the
 * client's next request gives the reason for the end of the feed.
 */
const isNoLongerAllowed = (error: unknown): boolean =>
  error instanceof Refused || problemOf(error).problem.status === 401;
