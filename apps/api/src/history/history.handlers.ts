import { momentAt } from '@charter/decider';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Refused, UnreadableStream } from '@charter/aggregates';
import {
  exportOrganization,
  RangeNotInOrder,
  readOrganizationDifference,
  verifyOrganization,
  type Charter,
} from '@charter/application';
import { abortableRead, lastEventOf } from '@charter/event-log';
import { auditors, noSuchOrganization, organizationStream, repetitionsOf } from '@charter/organization';
import type { OrganizationDifference } from '@charter/organization-view';
import type { OrganizationCall } from '../http/request-context';
import { malformedRequest } from '../http/problems/problem';
import { LONG_EVENTS } from '../organizations/organization-reader';
import { absenceOf, requireRole } from '../organizations/require-role';
import { refuseToSign } from './checkpoints/refuse-to-sign';
import { eventPage, selectedEventLines, streamSelectionOf } from './event-pages';
import type { DiffQuery, EventsQuery } from './history.requests';
import { HistoryReadHandler } from './history-read-handler';
import { prefersNdjson, asJsonLines, sendNdjson } from './ndjson';
import { STORES } from '../process/parts/stores';
import { withProgress } from './verification-progress';
import { type Gates, GATES } from '../process/parts/gates';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';
import { type Clock, CLOCK } from '../process/parts/clock';

/** A page of an organization's events; undefined if the handler has already sent all events as NDJSON lines. */
export class OrganizationEvents extends Query<Awaited<ReturnType<typeof eventPage>> | undefined> {
  constructor(
    readonly id: string,
    readonly query: EventsQuery,
    readonly call: OrganizationCall,
  ) {
    super();
  }
}

@QueryHandler(OrganizationEvents)
export class OrganizationEventsHandler extends HistoryReadHandler implements IQueryHandler<OrganizationEvents> {
  async execute({ id, query, call }: OrganizationEvents) {
    await requireRole(this.runtime, id, call.context.actor, auditors);
    const { log, gate, recordRead } = this.runtime;
    const wanted = await streamSelectionOf(log, id, query, await this.repetitionsIn(id, query));
    if (!wanted) throw new Refused(noSuchOrganization);
    // records the read before the answer begins, but only after the gate has admitted the request
    const record = () => recordRead({ type: 'HistoryRead', data: { organization: id } }, call.context);
    if (prefersNdjson(call.request)) {
      await gate({ ...call.context, response: call.response }, async (gone, releaseSlotWhile) => {
        await record();
        await sendNdjson(selectedEventLines(log, wanted, gone), {}, { ...call, gone, releaseSlotWhile });
      });
      return undefined;
    }
    const isLong = wanted.isWanted !== undefined && wanted.last - wanted.first >= LONG_EVENTS;
    const read = async (gone?: AbortSignal) => {
      await record();
      return eventPage(abortableRead(log, gone), wanted, query.limit);
    };
    return isLong ? gate({ ...call.context, response: call.response }, read) : read();
  }

  /** If this release cannot fold the history, the answer contains the events without marks for repetitions. */
  private async repetitionsIn(id: string, { fold }: EventsQuery): Promise<ReadonlyMap<number, number>> {
    try {
      return await this.runtime.organizations.query(organizationStream(id), ({ state }) => repetitionsOf(state));
    } catch (error) {
      if (error instanceof UnreadableStream && fold === undefined) return new Map();
      throw error;
    }
  }
}

/** The changes of an organization between two moments. */
export class OrganizationChanges extends Query<OrganizationDifference & { organization: string }> {
  constructor(
    readonly id: string,
    readonly query: DiffQuery,
    readonly call: OrganizationCall,
  ) {
    super();
  }
}

@QueryHandler(OrganizationChanges)
export class OrganizationChangesHandler extends HistoryReadHandler implements IQueryHandler<OrganizationChanges> {
  async execute({ id, query, call }: OrganizationChanges) {
    await requireRole(this.runtime, id, call.context.actor, auditors);
    const difference = await this.runtime.gate({ ...call.context, response: call.response }, (gone) =>
      readOrganizationDifference(this.runtime, id, { ...query, now: call.context.at }, gone).catch((error: unknown) => {
        if (error instanceof RangeNotInOrder)
          throw malformedRequest([{ path: 'from', message: 'must not be after to' }]);
        throw error;
      }),
    );
    if (!difference) throw await absenceOf(this.runtime, id);
    await this.runtime.recordRead({ type: 'HistoryRead', data: { organization: id } }, call.context);
    return { organization: id, ...difference };
  }
}

/**
 * Compares an organization's hash chain with the last signed checkpoint, and the read model with a replay. Undefined if
 * the handler has already sent the progress and the verdict as NDJSON lines.
 */
export class OrganizationIntegrity extends Query<Awaited<ReturnType<typeof verifyOrganization>>> {
  constructor(
    readonly id: string,
    readonly call: OrganizationCall,
  ) {
    super();
  }
}

@QueryHandler(OrganizationIntegrity)
export class OrganizationIntegrityHandler implements IQueryHandler<OrganizationIntegrity> {
  private readonly runtime: Pick<Charter, 'log' | 'database' | 'view' | 'organizations' | 'signer'> &
    Pick<Gates, 'verifyGate'>;

  constructor(@Inject(STORES) stores: Charter, @Inject(GATES) gates: Gates) {
    this.runtime = { ...stores, ...gates };
  }

  async execute({ id, call }: OrganizationIntegrity) {
    await requireRole(this.runtime, id, call.context.actor, auditors);
    return this.runtime.verifyGate({ ...call.context, response: call.response }, async (gone, releaseSlotWhile) => {
      const verify = async (onEvents?: (events: number) => void) => {
        const verdict = await verifyOrganization(this.runtime, id, gone, onEvents);
        if (!verdict) throw new Refused(noSuchOrganization);
        return verdict;
      };
      if (!prefersNdjson(call.request)) return verify();
      const last = await lastEventOf(this.runtime.log, organizationStream(id));
      const lines = asJsonLines(withProgress(Number(last?.revision ?? -1) + 1, verify));
      await sendNdjson(lines, {}, { ...call, gone, releaseSlotWhile, atOnce: true });
      return undefined;
    });
  }
}

/** Sends the whole history of an organization as NDJSON lines. */
export class OrganizationExport extends Query<void> {
  constructor(
    readonly id: string,
    readonly call: OrganizationCall,
  ) {
    super();
  }
}

@QueryHandler(OrganizationExport)
export class OrganizationExportHandler implements IQueryHandler<OrganizationExport> {
  private readonly runtime: Pick<Charter, 'log' | 'database' | 'view' | 'organizations' | 'signer'> &
    Clock &
    Pick<Gates, 'gate'> &
    Pick<OrganizationAccess, 'recordRead'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(GATES) gates: Gates,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
  ) {
    this.runtime = { ...stores, ...clock, ...gates, ...access };
  }

  async execute({ id, call: { context, request, response } }: OrganizationExport) {
    const { now, gate, recordRead } = this.runtime;
    await requireRole(this.runtime, id, context.actor, auditors);
    const asker = { actor: context.actor, response };
    await gate(asker, async (gone, releaseSlotWhile) => {
      const record = () => recordRead({ type: 'HistoryExported', data: { organization: id } }, context);
      const lines = exportOrganization(this.runtime, id, momentAt(now()), gone);
      const headers = { 'Content-Disposition': `attachment; filename="organization-${id}.ndjson"` };
      await sendNdjson(once(record, lines), headers, { request, response, gone, releaseSlotWhile });
    }).catch(refuseToSign);
  }
}

/** Runs `act` once, when the first line is available, and then yields all lines. */
async function* once(act: () => Promise<void>, lines: AsyncIterable<string>): AsyncGenerator<string> {
  let isDone = false;
  for await (const line of lines) {
    if (!isDone) await act();
    isDone = true;
    yield line;
  }
}
