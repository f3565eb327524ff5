import { momentAt } from '@charter/decider';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { isSessionOver, type Session } from '@charter/identity';
import { Refused } from '@charter/aggregates';
import { noSuchOrganization, words } from '@charter/organization';
import type { Response } from 'express';
import type { z } from 'zod';
import { Answers, noContent, ok } from '../http/declared-answers';
import { ActivityPage, OwnAccount, SessionPage } from './account.answers';
import { ownAccountAnswer } from './own-account-answer';
import { acceptMembership } from '../organizations/members/introductions';
import { PeopleOnly } from '../operators/operator-guards';
import { clientAddressOf } from '../http/input/client-address';
import { CurrentContext, type RequestContext, type RequestWithContext } from '../http/request-context';
import { ProblemError } from '../http/problems/problem';
import { mailAccountNotice } from '../sign-in/account-notices';
import { hashNewPassword } from '../sign-in/password/set-password';
import { activityOf } from './activity';
import { requestConfirmation, confirmNewEmail, countConfirmation } from './change-email';
import {
  auditContextOf,
  changeAccount,
  logOperation,
  signedInPerson,
  provePassword,
  storePreferences,
} from './account';
import * as requests from './account.requests';
import type { Charter } from '@charter/application';
import { STORES } from '../process/parts/stores';
import { type Clock, CLOCK } from '../process/parts/clock';
import { type Observability, OBSERVABILITY } from '../process/parts/observability';
import { type Authentication, AUTHENTICATION } from '../process/parts/authentication';
import { type Background, BACKGROUND } from '../process/parts/background';

type Of<Schema extends z.ZodType> = z.infer<Schema>;

/**
 * The account of the signed-in person (`api.md`, Own account). API keys have no access to the routes of the own
 * account.
 */
@ApiTags('Own account')
@UseGuards(PeopleOnly)
@Controller('api/v1/me')
export class OneselfController {
  private readonly runtime: Pick<
    Charter,
    'settings' | 'keyFor' | 'log' | 'database' | 'view' | 'organizations' | 'trail' | 'passwords'
  > &
    Clock &
    Pick<Observability, 'logger'> &
    Pick<Authentication, 'browserSessions' | 'signedIn'> &
    Pick<Background, 'backgroundWork' | 'deferred' | 'mails'>;

  constructor(
    @Inject(STORES)
    stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(OBSERVABILITY) observability: Observability,
    @Inject(AUTHENTICATION) authentication: Authentication,
    @Inject(BACKGROUND) background: Background,
  ) {
    this.runtime = { ...stores, ...clock, ...observability, ...authentication, ...background };
  }

  @Get()
  @ApiOperation({ summary: 'Read the own account and its memberships' })
  @Answers('people', ok(OwnAccount))
  show(@CurrentContext() context: RequestContext) {
    return ownAccountAnswer(this.runtime, signedInPerson(context, 'read').account, context.caller.only);
  }

  @Patch()
  @ApiOperation({
    summary:
      'Change the name or the preferences, or request another e-mail address; the account uses the new address after its confirmation',
  })
  @Answers('people', ok(OwnAccount), [409])
  async change(
    @Body({ schema: requests.OwnAccountChange })
    { name, email, password, language, timeZone, keys }: Of<typeof requests.OwnAccountChange>,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
  ) {
    const { account } = signedInPerson(context);
    if (email !== undefined) await provePassword(this.runtime, request, account, password ?? '');
    const another = email === account.email ? undefined : email;
    const counted = another === undefined ? undefined : await countConfirmation(this.runtime, account);
    const audit = auditContextOf(context);
    let changed = account;
    try {
      if (name !== undefined && name !== account.name)
        changed = await changeAccount(this.runtime, account, { type: 'NamesChanged', data: {} }, audit, { name });
      if ([language, timeZone, keys].some((choice) => choice !== undefined))
        changed = await storePreferences(this.runtime, changed, { language, timeZone, singleKeys: keys });
      if (another !== undefined) await requestConfirmation(this.runtime, request, changed, another, audit);
    } catch (error) {
      await counted?.takeBack(); // the person gets no mail, so the limit of mails must not count one
      throw error;
    }
    return ownAccountAnswer(this.runtime, changed, context.caller.only);
  }

  @Post('email/confirm')
  @HttpCode(204)
  @ApiOperation({ summary: 'Confirm a new e-mail address by the mailed token' })
  @Answers('people', noContent('Set-Cookie'), [409])
  async confirm(
    @Body({ schema: requests.Token }) { token }: Of<typeof requests.Token>,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    signedInPerson(context);
    await confirmNewEmail(this.runtime, request, response, token);
  }

  @Put('password')
  @HttpCode(204)
  @ApiOperation({ summary: 'Change the password; all other sessions end' })
  @Answers('people', noContent('Set-Cookie'), [409])
  async changePassword(
    @Body({ schema: requests.NewPassword }) { current, password }: Of<typeof requests.NewPassword>,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { account, session } = signedInPerson(context);
    await provePassword(this.runtime, request, account, current);
    const passwordHash = await hashNewPassword(this.runtime, account, password);
    const all = { sessions: true, links: true } as const;
    const fact = { type: 'PasswordChanged', data: { version: account.version } } as const;
    const changed = await changeAccount(this.runtime, account, fact, auditContextOf(context), { passwordHash }, all);
    await mailAccountNotice(this.runtime, request, 'password-changed', changed);
    await this.runtime.browserSessions.renewSession(response, changed, session, request);
    this.note(context, request, 'password-changed');
  }

  @Get('sessions')
  @ApiOperation({ summary: 'List the sessions of the own account' })
  @Answers('people', ok(SessionPage))
  async sessions(@CurrentContext() context: RequestContext) {
    const { account, session } = signedInPerson(context);
    const { settings, now, database } = this.runtime;
    const limits = { idle: settings.sessionIdle, max: settings.sessionMax };
    const since = momentAt(now() - limits.idle);
    const all = await database.people.sessions.listOf(account.id, since);
    const live = all.filter((one) => !isSessionOver(one, limits, now()));
    return { sessions: live.map((one) => printedSession(one, session.id)), next: null };
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @ApiOperation({ summary: 'End a session of the own account' })
  @Answers('people', noContent())
  async endSession(
    @Param('id', { schema: words.Id }) id: string,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
  ) {
    const { account } = signedInPerson(context);
    const { sessions } = this.runtime.database.people;
    const mine = await sessions.listOf(account.id, '');
    if (!mine.some((one) => one.id === id))
      throw new ProblemError(404, 'no-such-session', 'You have no session with this id.');
    await this.recordSessionsEnded(context, { session: id });
    await sessions.end(id, account.id);
    this.note(context, request, 'session-ended');
  }

  @Post('sessions/end-others')
  @HttpCode(204)
  @ApiOperation({ summary: 'End all other sessions of the own account' })
  @Answers('people', noContent(), [409])
  async endOthers(
    @Body({ schema: requests.Proof }) { password }: Of<typeof requests.Proof>,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
  ) {
    const { account, session } = signedInPerson(context);
    await provePassword(this.runtime, request, account, password);
    await this.recordSessionsEnded(context, { others: true });
    await this.runtime.database.people.sessions.endAll(account.id, session.id);
    this.note(context, request, 'other-sessions-ended');
  }

  @Get('activity')
  @ApiOperation({ summary: 'List the history of the own account, the newest first' })
  @Answers('people', ok(ActivityPage))
  activity(
    @Query({ schema: requests.ActivityQuery }) { cursor, limit }: Of<typeof requests.ActivityQuery>,
    @CurrentContext() context: RequestContext,
  ) {
    return activityOf(this.runtime, signedInPerson(context).account.id, cursor, limit);
  }

  @Post('organizations/:id/accept')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Accept a membership: from then on the other members see the name and e-mail address of the account',
  })
  @Answers('people', noContent())
  async accept(@Param('id', { schema: words.Id }) id: string, @CurrentContext() context: RequestContext) {
    const { account } = signedInPerson(context, 'read');
    const { only } = context.caller;
    if (only !== undefined && only !== id) throw new Refused(noSuchOrganization);
    await acceptMembership(this.runtime, id, account.id);
  }

  private recordSessionsEnded(context: RequestContext, data: Readonly<{ session?: string; others?: boolean }>) {
    const { id } = signedInPerson(context).account;
    return this.runtime.trail.record({ account: id }, { type: 'SessionsEnded', data }, auditContextOf(context));
  }

  private note(context: RequestContext, request: RequestWithContext, result: string) {
    logOperation(this.runtime, context, clientAddressOf(request, this.runtime.settings), result);
  }
}

const printedSession = ({ id, method, agent, began, used, organization }: Session, current: string) => ({
  id,
  method,
  agent,
  began,
  used,
  ...(organization !== null && { organization }),
  current: id === current,
});
