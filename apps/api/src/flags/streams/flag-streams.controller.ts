import { Body, Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Refused } from '@charter/aggregates';
import type { Charter } from '@charter/application';
import { momentAt } from '@charter/decider';
import { flagReaders, noSuchOrganization, words } from '@charter/organization';
import { flagSubjectIn } from '@charter/organization-view';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { actorIn } from '../../http/authentication/caller';
import { Public } from '../../http/authentication/authentication-guard';
import { Answers, created } from '../../http/declared-answers';
import { NoQuery } from '../../http/input/validation';
import { malformedRequest } from '../../http/problems/problem';
import { type OrganizationCall, CurrentCall } from '../../http/request-context';
import { requireRole } from '../../organizations/require-role';
import { type Clock, CLOCK } from '../../process/parts/clock';
import { FLAG_STREAMS, type FlagStreams } from '../../process/parts/flag-streams';
import { STORES } from '../../process/parts/stores';
import { FlagTicketAnswer, FlagTicketRequest, flagNoticeStream } from './flag-streams.answers';

const StreamQuery = z.object({ ticket: z.string().catch(''), flags: z.string().optional().catch(undefined) });

/** The event streams of OFREP, and the tickets that open them. */
@ApiTags('Flags')
@Controller()
export class FlagStreamsController {
  private readonly runtime: Charter & Clock & FlagStreams;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(FLAG_STREAMS) streams: FlagStreams,
  ) {
    this.runtime = { ...stores, ...clock, ...streams };
  }

  @Get('ofrep/v1/event-streams')
  @Public()
  @ApiOperation({
    summary: 'Server-sent notices that the flags of a subject have changed (OpenFeature)',
    description:
      'Clients take the address with its ticket from `eventStreams` of a bulk evaluation. The answer never ends. A notice has no values: the client evaluates again.',
  })
  @Answers('everyone', flagNoticeStream, [401])
  async listen(
    @Query({ schema: StreamQuery }) { ticket, flags }: z.infer<typeof StreamQuery>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { tickets, listenerGate, streams, flagNotices } = this.runtime;
    const identify = tickets.createIdentify(ticket);
    const {
      actor,
      only,
      ticket: { subject: targetingKey },
    } = await identify();
    const subject = flagSubjectIn(targetingKey)!;
    const isReconnect = request.get('Last-Event-ID') !== undefined;
    await listenerGate({ actor, response, organizations: [only] }, async () => {
      const stream = streams.open(response, identify);
      if (request.method === 'HEAD') stream.end();
      const leaving = flagNotices.listen({ stream, subject, seen: flags, isReconnect });
      await leaving.then(() => stream.ended).catch(stream.end); // the client reconnects
      void leaving.then(({ leave }) => leave()).catch(() => undefined);
    });
  }

  @Post('api/v1/organizations/:id/flag-tickets')
  @ApiOperation({
    summary: 'A ticket with which a browser evaluates the flags of one subject and follows them',
    description:
      'A program with an API key requests the ticket for its own pages. The page sends the ticket as `Authorization: Bearer` to bulk evaluation. The ticket ends with the API key or the session, and at `expires`.',
  })
  @Answers(flagReaders, created(FlagTicketAnswer))
  async ticket(
    @Param('id', { schema: words.Id }) id: string,
    @Body({ schema: FlagTicketRequest }) { targetingKey: subject }: z.infer<typeof FlagTicketRequest>,
    @Query({ schema: NoQuery }) _query: NoQuery,
    @CurrentCall() { request }: OrganizationCall,
  ) {
    const { runtime } = this;
    const { caller } = request.charter;
    await requireRole(runtime, id, actorIn(caller, id), flagReaders);
    const exists = await runtime.organizations.query(`organization-${id}`, ({ state }) => {
      if (state.name === '') throw new Refused(noSuchOrganization); // an API key may be valid for every organization
      if (subject.kind === 'site') return Object.hasOwn(state.sites, subject.site);
      return subject.kind !== 'user' || Object.hasOwn(state.members, subject.user);
    });
    if (subject.organization !== id || !exists)
      throw malformedRequest([
        { path: 'targetingKey', message: 'must name the organization, or one of its sites or members' },
      ]);
    const { ticket, expires } = runtime.tickets.issue(caller, subject);
    return { ticket, expires: momentAt(expires) };
  }
}
