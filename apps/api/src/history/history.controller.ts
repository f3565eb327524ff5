import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { auditors, words } from '@charter/organization';
import { Answers, jsonOrLines, NDJSON_TYPE, ok } from '../http/declared-answers';
import { NoQuery } from '../http/input/validation';
import { prefersEventStream } from '../http/server-sent-events';
import { OrganizationFeed } from './feed/organization-feed.handler';
import { DifferenceAnswer, eventsAnswers, VerificationAnswer, VerificationLine } from './history.answers';
import { type OrganizationCall, CurrentCall } from '../http/request-context';
import { OrganizationChanges, OrganizationEvents, OrganizationIntegrity } from './history.handlers';
import { DiffQuery, EventsQuery } from './history.requests';

/** The history of an organization, for auditors. No route of the history changes the organization. */
@ApiTags('History')
@Controller('api/v1/organizations/:id')
export class HistoryController {
  constructor(private readonly queries: QueryBus) {}

  @Get('events')
  @ApiOperation({
    summary: 'The events of an organization, oldest or newest first',
    description:
      '`from` and `to` are revisions or times, both included; `type` names types, separated by commas; `not-type` leaves types out; `actor` is an id or a kind; `about` is a path such as `/members/ID`; `correlation` is the id of a request. An event with `repeats` confirms a sale that was in force; `fold=repetitions` leaves these events out. With `Accept: application/x-ndjson` the answer has all events, one on each line, and ignores `limit`. With `Accept: text/event-stream` the answer begins with the event at `from`, never ends, and continues after the event in `Last-Event-ID`.',
  })
  @Answers(auditors, eventsAnswers, [409])
  async events(
    @Param('id', { schema: words.Id }) id: string,
    @Query({ schema: EventsQuery }) query: EventsQuery,
    @CurrentCall() call: OrganizationCall,
    @Res() response: Response,
  ) {
    if (prefersEventStream(call.request, ['application/json', NDJSON_TYPE]))
      return this.queries.execute(new OrganizationFeed(id, query, call));
    const page = await this.queries.execute(new OrganizationEvents(id, query, call));
    if (page) response.json(page);
    return undefined;
  }

  @Get('diff')
  @ApiOperation({
    summary: 'The changes between two moments, with their events and actors',
    description:
      '`from` and `to` are revisions or times; without `to`, the comparison ends now. `state` is a JSON Patch (RFC 6902). With `valid` the answer compares two views of that moment: as recorded at `from`, and as recorded at `to`.',
  })
  @Answers(auditors, ok(DifferenceAnswer))
  async diff(
    @Param('id', { schema: words.Id }) id: string,
    @Query({ schema: DiffQuery }) query: DiffQuery,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.queries.execute(new OrganizationChanges(id, query, call));
  }

  @Get('verify')
  @ApiOperation({
    summary: 'Verify the hash chain against its last signature, and the read model against a replay',
    description:
      'Each process runs one verification at a time. A verification changes nothing. With `Accept: application/x-ndjson` the answer has a line with the progress for each 1,000 events or 250 ms, and the verdict on its last line.',
  })
  @Answers(auditors, jsonOrLines(VerificationAnswer, VerificationLine))
  async verify(
    @Param('id', { schema: words.Id }) id: string,
    @Query({ schema: NoQuery }) _query: NoQuery,
    @CurrentCall() call: OrganizationCall,
    @Res() response: Response,
  ) {
    const verdict = await this.queries.execute(new OrganizationIntegrity(id, call));
    if (verdict) response.json(verdict);
  }
}
