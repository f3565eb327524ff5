import { hash } from 'node:crypto';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Immutable } from '@charter/decider';
import { type HistoryPoint, Refused, UnknownRevision } from '@charter/aggregates';
import { createTimelineReader, type ReadTimeline, signedPartOf } from '@charter/application';
import { notFoundedYet, organizationStream } from '@charter/organization';
import { eventsBy, hashOfSchemas, printedTimeline } from '@charter/organization-view';
import type { OrganizationCall } from '../../http/request-context';
import type { TaggedAnswer } from '../../organizations/organization-reader';
import { HistoryReadHandler } from '../history-read-handler';
import { TimelineAnswer, type TimelineQuery } from './timeline.requests';

/** An overview of an organization's history. */
export class OrganizationTimeline extends Query<TaggedAnswer<Immutable<TimelineAnswer>>> {
  constructor(
    readonly id: string,
    readonly query: TimelineQuery,
    readonly call: OrganizationCall,
  ) {
    super();
  }
}

@QueryHandler(OrganizationTimeline)
export class OrganizationTimelineHandler extends HistoryReadHandler implements IQueryHandler<OrganizationTimeline> {
  private readonly reader = createTimelineReader(this.runtime);

  async execute({ id, query, call }: OrganizationTimeline) {
    return this.readHistory(id, call, {
      distance: () => this.reader.distance(id),
      read: async (gone) => {
        const found = await this.reader.read(id, gone);
        return found && this.printed(found, id, query, call.context.at);
      },
    });
  }

  private async printed(found: ReadTimeline, id: string, { asOf, ...wanted }: TimelineQuery, now: string) {
    const timeline = printedTimeline(found.record, eventsUntil(found, asOf, organizationStream(id)), wanted);
    const signed = await signedPartOf(this.runtime, organizationStream(id));
    const ahead = asOf ? undefined : aheadOf(found, now);
    return {
      answer: { organization: id, ...timeline, signed, ...(ahead && { ahead }) },
      tag: tagOf(timeline.last.revision, { signed, ahead }),
    };
  }
}

/** @throws UnknownRevision if `asOf` is a revision beyond the end; Refused 404 if `asOf` is before the founding */
function eventsUntil({ record, current }: ReadTimeline, asOf: HistoryPoint | undefined, stream: string): number {
  if (!asOf) return record.events;
  if ('revision' in asOf) {
    if (asOf.revision >= record.events) throw new UnknownRevision(stream, asOf.revision, record.events - 1);
    return asOf.revision + 1;
  }
  const events = eventsBy(record, Date.parse(asOf.moment));
  if (events === 0) throw new Refused(notFoundedYet(current.state));
  return events;
}

/**
 * The end of the override in force, if this end is in the future. A time bar shows the future end of an override,
 * although no event records the end yet.
 */
function aheadOf({ current: { state } }: ReadTimeline, now: string): TimelineAnswer['ahead'] {
  const { override } = state;
  if (override?.until == null || override.until <= now) return [];
  return [{ at: override.until, what: 'override-ends', event: override.event }];
}

/**
 * The answer's ETag. The ETag contains the revision. It also changes when the signature or `ahead` changes, or when a
 * new release changes the fields of the answer.
 */
const tagOf = (revision: number, ofNow: Pick<TimelineAnswer, 'signed'> & Readonly<{ ahead: unknown }>): string =>
  `"${revision}-${(shape ??= hashOfSchemas([TimelineAnswer]))}-${hash('sha256', JSON.stringify(ofNow)).slice(0, 8)}"`;
let shape: string | undefined;
