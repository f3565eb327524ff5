import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Refused } from '@charter/aggregates';
import { type Charter, createHistoryReaders, type HistoryReaderEntry, type HistoryReaders } from '@charter/application';
import type { Actor } from '@charter/decider';
import { noSuchOrganization, supervisors } from '@charter/organization';
import { contentTags } from '../../http/content-tags';
import { lagHeadersOf } from '../../http/lag-headers';
import type { OrganizationCall } from '../../http/request-context';
import { LONG_EVENTS, type TaggedAnswer } from '../../organizations/organization-reader';
import { requireRole } from '../../organizations/require-role';
import { type Clock, CLOCK } from '../../process/parts/clock';
import { type Gates, GATES } from '../../process/parts/gates';
import { STORES } from '../../process/parts/stores';
import { namedPeople } from '../names/names';
import { type ReaderEntry, ReadersAnswer, readersCursor, type ReadersQuery } from './readers.requests';

/** The readers of an organization's history, newest hour first. */
export class OrganizationReaders extends Query<
  TaggedAnswer<ReadersAnswer> & Readonly<{ lag: Readonly<Record<string, string>> }>
> {
  constructor(
    readonly id: string,
    readonly query: ReadersQuery,
    readonly call: OrganizationCall,
  ) {
    super();
  }
}

@QueryHandler(OrganizationReaders)
export class OrganizationReadersHandler implements IQueryHandler<OrganizationReaders> {
  private readonly runtime: Pick<Charter, 'database' | 'organizations'> & Pick<Gates, 'gate'> & Clock;
  private readonly readers: HistoryReaders;

  constructor(@Inject(STORES) stores: Charter, @Inject(GATES) gates: Gates, @Inject(CLOCK) clock: Clock) {
    this.runtime = { ...stores, ...gates, ...clock };
    this.readers = createHistoryReaders(stores);
  }

  async execute({ id, query: { from, to, cursor, limit }, call: { context, response } }: OrganizationReaders) {
    const { gate, now } = this.runtime;
    await requireRole(this.runtime, id, context.actor, supervisors);
    const wanted = { from, to, beyond: cursor, limit };
    const read = (gone?: AbortSignal) => this.readers.read(id, wanted, gone);
    const isLong = (await this.readers.distance(id)) >= LONG_EVENTS;
    const page = await (isLong ? gate({ ...context, response }, read) : read());
    if (!page) throw new Refused(noSuchOrganization);
    const lag = await this.readers.lag(now());
    const readers = await this.printed(id, page.readers, context.actor);
    const answer = { readers, next: readersCursor(page.next) };
    return { answer, tag: tagOf(answer), lag: lagHeadersOf(lag) };
  }

  /** Adds the names of the readers, as `POST …/names` shows them to this caller. */
  private async printed(id: string, readers: readonly HistoryReaderEntry[], actor: Actor): Promise<ReaderEntry[]> {
    const kindOf = ({ kind, isOrWasMember }: HistoryReaderEntry) =>
      kind === 'account' && isOrWasMember ? 'member' : kind;
    const names = await namedPeople(
      this.runtime,
      id,
      new Map(readers.map((each) => [each.reader, kindOf(each)])),
      actor,
    );
    return readers.map(({ at, kind, reader, as, did }) => {
      const { name, as: today } = names[reader]!;
      // an account that read without a membership had a platform role, even if no event recorded that role
      const platform = today === 'auditor' ? today : 'operator';
      return { hour: at.slice(0, 'YYYY-MM-DDTHH'.length), actor: { kind, id: reader }, as: as ?? platform, name, did };
    });
  }
}

const tagOf = contentTags(ReadersAnswer);
