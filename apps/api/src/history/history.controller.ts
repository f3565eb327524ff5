import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Refused } from '@charter/aggregates';
import { watched } from '@charter/event-log';
import { auditors, noSuchOrganization } from '@charter/organization';
import { differenceOf, NotInOrder, verifyOrganization } from '@charter/application';
import type { Response } from 'express';
import { permitted } from '../organizations/organization.handlers';
import { LONG_EVENTS } from '../organizations/organization-reader';
import { type Call, OnCall } from '../http/request-context';
import { malformed } from '../http/problems/problem';
import { RUNTIME, type Runtime } from '../process/runtime';
import { eventsIn, pageOf, wantedOf } from './event-pages';
import { DiffQuery, EventsQuery, Id } from './history.requests';
import { NDJSON, sendLines, wantsLines, written } from './ndjson';

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
    @Param('id', { schema: Id }) id: string,
    @Query({ schema: EventsQuery }) query: EventsQuery,
    @OnCall() call: Call,
    @Res() response: Response,
  ) {
    await permitted(this.runtime, id, call.by.actor, auditors);
    const { log, gate } = this.runtime;
    const wanted = await wantedOf(log, id, query);
    if (!wanted) throw new Refused(noSuchOrganization);
    await this.recorded(id, call);
    if (wantsLines(call.request)) {
      await gate({ ...call.by, response }, (gone, aside) =>
        sendLines(written(eventsIn(watched(log, gone), wanted)), {}, { ...call, response, gone, aside }),
      );
      return;
    }
    const isFiltered = query.type !== undefined || query.actor !== undefined;
    const isLong = isFiltered && wanted.last - wanted.first >= LONG_EVENTS;
    const page = isLong
      ? await gate({ ...call.by, response }, (gone) => pageOf(watched(log, gone), wanted, query.limit))
      : await pageOf(log, wanted, query.limit);
    response.json(page);
  }

  @Get('diff')
  @ApiOperation({
    summary: 'What changed between two moments, and which events and actors changed it',
    description:
      '`from` and `to` are revisions or times; without `to`, up to now. `state` is a JSON Patch (RFC 6902). With `valid` both ends answer for that moment, by what was recorded at each.',
  })
  async diff(
    @Param('id', { schema: Id }) id: string,
    @Query({ schema: DiffQuery }) query: DiffQuery,
    @OnCall() call: Call,
  ) {
    await permitted(this.runtime, id, call.by.actor, auditors);
    const difference = await this.runtime.gate({ ...call.by, response: call.response }, (gone) =>
      differenceOf(this.runtime, id, { ...query, now: call.by.at }, gone).catch((error: unknown) => {
        if (error instanceof NotInOrder) throw malformed([{ path: 'from', message: 'must not be after to' }]);
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
  async verify(@Param('id', { schema: Id }) id: string, @OnCall() call: Call) {
    await permitted(this.runtime, id, call.by.actor, auditors);
    return this.runtime.verifyGate({ ...call.by, response: call.response }, async (gone) => {
      const verdict = await verifyOrganization(this.runtime, id, gone);
      if (!verdict) throw new Refused(noSuchOrganization);
      return verdict;
    });
  }

  /** Before any of it is sent. */
  private recorded(organization: string, { by }: Call) {
    return this.runtime.recordRead({ type: 'HistoryRead', data: { organization } }, by);
  }
}
