import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Refused } from '@charter/aggregates';
import { abortableRead } from '@charter/event-log';
import { auditors, noSuchOrganization } from '@charter/organization';
import { readOrganizationDifference, RangeNotInOrder, verifyOrganization } from '@charter/application';
import type { Response } from 'express';
import { requireRole } from '../organizations/require-role';
import { LONG_EVENTS } from '../organizations/organization-reader';
import { type OrganizationCall, CurrentCall } from '../http/request-context';
import { malformedRequest } from '../http/problems/problem';
import { RUNTIME, type Runtime } from '../process/runtime';
import { selectedEvents, eventPage, streamSelectionOf } from './event-pages';
import { DiffQuery, EventsQuery, OrganizationIdParam } from './history.requests';
import { NDJSON, sendNdjson, acceptsNdjson, asJsonLines } from './ndjson';

/** What happened to an organization, for those who audit it. Nothing in here changes anything of it. */
@ApiTags('History')
@ApiBearerAuth()
@Controller('api/v1/organizations/:id')
export class HistoryController {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Get('events')
  @ApiProduces('application/json', NDJSON)
  @ApiOperation({
    summary: 'Its events, oldest or newest first',
    description:
      '`from` and `to` are revisions or times, both included; `type` names types, separated by commas; `actor` is an id or a kind. With `Accept: application/x-ndjson` all of them come, a line each, and `limit` is not looked at.',
  })
  async events(
    @Param('id', { schema: OrganizationIdParam }) id: string,
    @Query({ schema: EventsQuery }) query: EventsQuery,
    @CurrentCall() call: OrganizationCall,
    @Res() response: Response,
  ) {
    await requireRole(this.runtime, id, call.context.actor, auditors);
    const { log, gate } = this.runtime;
    const wanted = await streamSelectionOf(log, id, query);
    if (!wanted) throw new Refused(noSuchOrganization);
    await this.recorded(id, call);
    if (acceptsNdjson(call.request)) {
      await gate({ ...call.context, response }, (gone, aside) =>
        sendNdjson(
          asJsonLines(selectedEvents(abortableRead(log, gone), wanted)),
          {},
          { ...call, response, gone, aside },
        ),
      );
      return;
    }
    const isFiltered = query.type !== undefined || query.actor !== undefined;
    const isLong = isFiltered && wanted.last - wanted.first >= LONG_EVENTS;
    const page = isLong
      ? await gate({ ...call.context, response }, (gone) => eventPage(abortableRead(log, gone), wanted, query.limit))
      : await eventPage(log, wanted, query.limit);
    response.json(page);
  }

  @Get('diff')
  @ApiOperation({
    summary: 'What changed between two moments, and which events and actors changed it',
    description:
      '`from` and `to` are revisions or times; without `to`, up to now. `state` is a JSON Patch (RFC 6902). With `valid` both ends answer for that moment, by what was recorded at each.',
  })
  async diff(
    @Param('id', { schema: OrganizationIdParam }) id: string,
    @Query({ schema: DiffQuery }) query: DiffQuery,
    @CurrentCall() call: OrganizationCall,
  ) {
    await requireRole(this.runtime, id, call.context.actor, auditors);
    const difference = await this.runtime.gate({ ...call.context, response: call.response }, (gone) =>
      readOrganizationDifference(this.runtime, id, { ...query, now: call.context.at }, gone).catch((error: unknown) => {
        if (error instanceof RangeNotInOrder)
          throw malformedRequest([{ path: 'from', message: 'must not be after to' }]);
        throw error;
      }),
    );
    if (!difference) throw new Refused(noSuchOrganization);
    await this.recorded(id, call);
    return { organization: id, ...difference };
  }

  @Get('verify')
  @ApiOperation({
    summary: 'Whether its hash chain is whole and as it was last signed, and its read model what a replay gives',
    description: 'One at a time in each process. It reads, and changes nothing.',
  })
  async verify(@Param('id', { schema: OrganizationIdParam }) id: string, @CurrentCall() call: OrganizationCall) {
    await requireRole(this.runtime, id, call.context.actor, auditors);
    return this.runtime.verifyGate({ ...call.context, response: call.response }, async (gone) => {
      const verdict = await verifyOrganization(this.runtime, id, gone);
      if (!verdict) throw new Refused(noSuchOrganization);
      return verdict;
    });
  }

  /** Before any of it is sent. */
  private recorded(organization: string, { context }: OrganizationCall) {
    return this.runtime.recordRead({ type: 'HistoryRead', data: { organization } }, context);
  }
}
