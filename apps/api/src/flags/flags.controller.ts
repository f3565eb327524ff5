import { Body, Controller, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Charter } from '@charter/application';
import { flagReaders } from '@charter/organization';
import { Flag, type FlagSubject, targetingKeyOf } from '@charter/organization-view';
import type { Response } from 'express';
import { z } from 'zod';
import { Answers, ok, tagged } from '../http/declared-answers';
import { lagHeaders } from '../http/lag-headers';
import type { Caller } from '../http/authentication/caller';
import { ProblemError } from '../http/problems/problem';
import { commandContextFor, type RequestWithContext } from '../http/request-context';
import type { QueryTime } from '../organizations/organization-reader';
import { type Clock, CLOCK } from '../process/parts/clock';
import { FLAG_STREAMS, type FlagStreams } from '../process/parts/flag-streams';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';
import { STORES } from '../process/parts/stores';
import { EvaluateFlags, invalidContext } from './evaluate-flags.handler';
import { matchesFlagETag } from './flag-etag';
import { flagListAnswer } from './flag-list-answer';
import type { EvaluatedFlags } from './flags-query';
import { FlagList } from './flags.answers';
import { Evaluation, revisionIn } from './flags.requests';

/** Evaluates flags as the OpenFeature Remote Evaluation Protocol (OFREP 0.3) defines it. */
@ApiTags('Flags')
@Controller('ofrep/v1/evaluate/flags')
export class FlagsController {
  private readonly runtime: Charter & Clock & Pick<OrganizationAccess, 'projection'> & FlagStreams;

  constructor(
    private readonly queries: QueryBus,
    @Inject(CLOCK) clock: Clock,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
    @Inject(STORES) stores: Charter,
    @Inject(FLAG_STREAMS) streams: FlagStreams,
  ) {
    this.runtime = { ...stores, ...clock, ...access, ...streams };
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'All flags of an organization, a site or a member (OpenFeature)',
    description:
      '`context.targetingKey` names the subject: `ID`, `ID/sites/SITE` or `ID/users/USER`. `context.asOf` names a revision or a moment of the past.',
  })
  @ApiQuery({
    name: 'flagConfigEtag',
    required: false,
    schema: { type: 'string' },
    description: 'From a notice: `r42` demands an answer that includes revision 42',
  })
  @Answers(flagReaders, tagged(FlagList))
  async all(
    @Body({ schema: Evaluation }) { context: { targetingKey: subject, asOf } }: Evaluation,
    @Query('flagConfigEtag') flagConfigEtag: unknown,
    @Req() request: RequestWithContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FlagList | undefined> {
    const { caller } = request.charter;
    requireSubjectOf(caller, subject, asOf !== undefined);
    const when = { asOf, atLeast: revisionIn(flagConfigEtag) };
    const evaluated = await this.evaluate(subject, when, request, response);
    const { list, tag } = flagListAnswer(this.runtime, caller, subject, evaluated, asOf !== undefined);
    response.set('ETag', tag);
    if (asOf !== undefined || !matchesFlagETag(request.headers['if-none-match'], tag)) return list;
    response.status(304);
    return undefined;
  }

  @Post(':key')
  @HttpCode(200)
  @ApiOperation({ summary: 'One flag of an organization, a site or a member (OpenFeature)' })
  @Answers(flagReaders, ok(Flag), [404])
  async one(
    @Param('key', { schema: z.string() }) key: string,
    @Body({ schema: Evaluation }) { context: { targetingKey: subject, asOf } }: Evaluation,
    @Req() request: RequestWithContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Flag> {
    const { flags } = await this.evaluate(subject, { asOf }, request, response);
    const flag = flags.find((one) => one.key === key);
    if (!flag)
      throw new ProblemError(404, 'not-found', `The flags here are: ${flags.map((one) => one.key).join(', ')}.`, {
        errorCode: 'FLAG_NOT_FOUND',
      });
    return flag;
  }

  private async evaluate(
    subject: Evaluation['context']['targetingKey'],
    when: QueryTime,
    request: RequestWithContext,
    response: Response,
  ): Promise<EvaluatedFlags> {
    const asker = { ...commandContextFor(request.charter, subject.organization), response };
    const isRoleChecked = request.charter.caller.ticket !== undefined;
    const evaluated = await this.queries.execute(new EvaluateFlags(subject, when, asker, isRoleChecked));
    response.set(lagHeaders(this.runtime.projection));
    return evaluated;
  }
}

/** A ticket permits only the evaluation of one subject in its present state, not of the past. */
function requireSubjectOf({ ticket }: Caller, subject: FlagSubject, isPast: boolean): void {
  if (!ticket) return;
  if (isPast) throw new ProblemError(403, 'not-allowed', 'A ticket gives no permission for the past.');
  if (ticket.subject !== targetingKeyOf(subject)) throw invalidContext('The ticket belongs to another targeting key.');
}
