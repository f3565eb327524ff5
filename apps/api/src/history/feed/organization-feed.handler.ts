import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { revisionRangeOf } from '@charter/aggregates';
import { lastEventOf } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import type { OrganizationCall } from '../../http/request-context';
import { type EventsQuery, wantedEvents } from '../history.requests';
import { answerChanges, lastEventIdOf } from './answer-changes';
import { changesOf } from './change-source';
import { ChangeFeedRoute } from './change-feed-route';
import { positionInStream } from './feed-cursor';
import { organizationVisibilityOf } from './visibility';

/** Sends an organization's recorded events, and then each new event of its stream. */
export class OrganizationFeed extends Query<void> {
  constructor(
    readonly id: string,
    readonly query: EventsQuery,
    readonly call: OrganizationCall,
  ) {
    super();
  }
}

@QueryHandler(OrganizationFeed)
export class OrganizationFeedHandler extends ChangeFeedRoute implements IQueryHandler<OrganizationFeed> {
  async execute({ id, query, call: { request, response } }: OrganizationFeed) {
    const { runtime } = this;
    const { log } = runtime;
    const stream = organizationStream(id);
    const sight = await organizationVisibilityOf(runtime, request, id);
    const isWanted = wantedEvents(query) ?? (() => true);
    const newest = Number((await lastEventOf(log, stream))?.revision ?? -1);
    const { first } = await revisionRangeOf(log, stream, newest, { from: query.from });
    await answerChanges(runtime, {
      ...{ request, response, isLive: true },
      // The source yields all events, so that a feed without wanted events also notices that the client has gone.
      source: changesOf(log, stream, first),
      sight: { ...sight, sees: async (event) => isWanted(event) && sight.sees(event) },
      after: await positionInStream(log, stream, lastEventIdOf(request)),
      fact: { type: 'HistoryRead', data: { organization: id } },
    });
  }
}
