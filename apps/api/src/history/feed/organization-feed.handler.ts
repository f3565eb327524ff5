import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { revisionRangeOf } from '@charter/aggregates';
import type { Charter } from '@charter/application';
import { lastEventOf } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import type { OrganizationCall } from '../../http/request-context';
import { type Authentication, AUTHENTICATION } from '../../process/parts/authentication';
import { type Clock, CLOCK } from '../../process/parts/clock';
import { type Gates, GATES } from '../../process/parts/gates';
import { type Lifecycle, LIFECYCLE } from '../../process/parts/lifecycle';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { STORES } from '../../process/parts/stores';
import { type EventsQuery, wantedEvents } from '../history.requests';
import { answerChanges, type ChangesRuntime, lastEventIdOf } from './answer-changes';
import { changesOf } from './change-source';
import { positionInStream } from './feed-cursor';
import { organizationVisibilityOf } from './visibility';

/** Sends an organization's events, and then follows its stream. */
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
export class OrganizationFeedHandler implements IQueryHandler<OrganizationFeed> {
  private readonly runtime: ChangesRuntime & Pick<Charter, 'organizations'> & Pick<Authentication, 'callers'>;

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

  async execute({ id, query, call: { request, response } }: OrganizationFeed) {
    const { runtime } = this;
    const { log } = runtime;
    const stream = organizationStream(id);
    const sight = await organizationVisibilityOf(runtime, request, id);
    const newest = Number((await lastEventOf(log, stream))?.revision ?? -1);
    const { first } = await revisionRangeOf(log, stream, newest, { from: query.from });
    await answerChanges(runtime, {
      ...{ request, response, sight, isLive: true },
      source: changesOf(log, stream, first, wantedEvents(query)),
      after: await positionInStream(log, stream, lastEventIdOf(request)),
      fact: { type: 'HistoryRead', data: { organization: id } },
    });
  }
}
