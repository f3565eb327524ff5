import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Put,
  Query,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Account, platformRoles } from '@charter/identity';
import { words } from '@charter/organization';
import type { Response } from 'express';
import { z } from 'zod';
import { Answers, noContent, ok } from '../http/declared-answers';
import { AccountAnswer, AccountPageAnswer, OperatorErasureCertificate } from '../account/account.answers';
import { erasureCertificateOf, eraseAccount } from '../account/memberships';
import { auditContextOf, logOperation } from '../account/account';
import { Proof } from '../account/account.requests';
import { type SealedCursors, sealedCursors } from './sealed-cursors';
import { OperatorsOnly } from './operator-guards';
import { clientAddressOf } from '../http/input/client-address';
import { CurrentContext, type RequestContext, type RequestWithContext } from '../http/request-context';
import { ProblemError } from '../http/problems/problem';
import { operatorIn, operatorWithPassword } from './operators';
import { PageLimit, SearchParam } from '../http/input/paging';
import type { Charter } from '@charter/application';
import { STORES } from '../process/parts/stores';
import { type Clock, CLOCK } from '../process/parts/clock';
import { type Observability, OBSERVABILITY } from '../process/parts/observability';
import { type Authentication, AUTHENTICATION } from '../process/parts/authentication';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';
import { type Background, BACKGROUND } from '../process/parts/background';

const Id = { schema: words.Id };
const AccountsQuery = z.strictObject({
  q: SearchParam.optional(),
  cursor: z.string().max(1_000).optional(),
  limit: PageLimit,
});
const NewRole = z.strictObject({ role: z.enum(platformRoles).nullable(), password: z.string() });

/**
 * The routes by which operators manage the accounts of all people. Operators can neither read nor set a password
 * (`acceptance.md` H11, I7).
 */
@ApiTags('Operations')
@UseGuards(OperatorsOnly)
@Controller('api/v1/accounts')
export class AccountsController {
  private readonly cursors: SealedCursors;
  private readonly runtime: Pick<
    Charter,
    'settings' | 'database' | 'keyFor' | 'signer' | 'trail' | 'accounts' | 'certificates' | 'passwords'
  > &
    Clock &
    Pick<Observability, 'logger'> &
    Pick<Authentication, 'browserSessions'> &
    Pick<OrganizationAccess, 'reading' | 'commands'> &
    Pick<Background, 'deferred'>;

  constructor(
    @Inject(STORES)
    stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(OBSERVABILITY) observability: Observability,
    @Inject(AUTHENTICATION) authentication: Authentication,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
    @Inject(BACKGROUND) background: Background,
  ) {
    this.runtime = { ...stores, ...clock, ...observability, ...authentication, ...access, ...background };
    this.cursors = sealedCursors(stores.keyFor('cursors'));
  }

  @Get()
  @ApiOperation({ summary: 'List accounts by e-mail address' })
  @Answers('operators', ok(AccountPageAnswer))
  async list(@Query({ schema: AccountsQuery }) { q, cursor, limit }: z.infer<typeof AccountsQuery>) {
    const after = cursor === undefined ? undefined : this.cursors.open(cursor);
    const { accounts, next } = await this.runtime.database.people.accounts.list({ q, after, limit });
    return { accounts: accounts.map(printed), next: next === undefined ? null : this.cursors.at(next) };
  }

  @Post(':id/disable')
  @HttpCode(200)
  @ApiOperation({ summary: 'Disable an account: its sessions, links and API keys end at once' })
  @Answers('operators', ok(AccountAnswer), [409])
  async disable(
    @Param('id', Id) id: string,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
  ) {
    refuseOneself(operatorIn(context), id);
    return this.done(
      await this.runtime.accounts.disable(id, auditContextOf(context)),
      context,
      request,
      'account-disabled',
    );
  }

  @Post(':id/enable')
  @HttpCode(200)
  @ApiOperation({ summary: 'Enable an account again' })
  @Answers('operators', ok(AccountAnswer), [409])
  async enable(
    @Param('id', Id) id: string,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
  ) {
    return this.done(
      await this.runtime.accounts.enable(id, auditContextOf(context)),
      context,
      request,
      'account-enabled',
    );
  }

  @Put(':id/role')
  @ApiOperation({ summary: 'Give an account a platform role, or take it away; its sessions end' })
  @Answers('operators', ok(AccountAnswer), [409])
  async assignRole(
    @Param('id', Id) id: string,
    @Body({ schema: NewRole }) { role, password }: z.infer<typeof NewRole>,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { id: own } = await operatorWithPassword(this.runtime, request, password);
    const account = await this.runtime.accounts.assignRole(id, role, auditContextOf(context));
    const { session } = context.caller.signedIn!;
    if (account && id === own) await this.runtime.browserSessions.renewSession(response, account, session, request);
    return this.done(account, context, request, 'role-assigned');
  }

  @Delete(':id/sessions')
  @HttpCode(204)
  @ApiOperation({ summary: 'End all sessions of an account' })
  @Answers('operators', noContent())
  async endSessions(
    @Param('id', Id) id: string,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
  ) {
    const { people } = this.runtime.database;
    const account = await people.accounts.byId(id);
    if (account) {
      await this.runtime.trail.record({ account: id }, { type: 'SessionsEnded', data: {} }, auditContextOf(context));
      await people.sessions.endAll(id);
    }
    this.done(account, context, request, 'sessions-ended');
  }

  /** With the certificate in the answer, an operator can repeat the erasure after a restore (`acceptance.md` U8). */
  @Post(':id/erase')
  @HttpCode(200)
  @ApiOperation({ summary: 'Erase an account: all personal data is deleted, its id stays' })
  @Answers('operators', ok(OperatorErasureCertificate), [409])
  async erase(
    @Param('id', Id) id: string,
    @Body({ schema: Proof }) { password }: z.infer<typeof Proof>,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
  ) {
    const { id: operator } = await operatorWithPassword(this.runtime, request, password);
    refuseOneself({ id: operator }, id);
    const erased = await eraseAccount(this.runtime, id, auditContextOf(context));
    this.done(erased?.account, context, request, 'account-erased');
    return { ...(await erasureCertificateOf(this.runtime, id, erased?.remains ?? null)), request: context.id };
  }

  private done(account: Account | undefined, context: RequestContext, request: RequestWithContext, result: string) {
    if (!account) throw new ProblemError(404, 'no-such-account', 'There is no account with this id.');
    logOperation(this.runtime, context, clientAddressOf(request, this.runtime.settings), result, {
      account: account.id,
    });
    return printed(account);
  }
}

/** Operators must not lock themselves out, because only the command line could restore their access. */
function refuseOneself({ id: own }: Readonly<{ id: string }>, id: string): void {
  if (own === id)
    throw new ProblemError(409, 'own-account', 'This is your own account. Ask another operator to do this.');
}

/** The account in an answer, without its password hash. */
const printed = ({ id, state, email, emailVerified, username, name, role, language, created }: Account) => ({
  id,
  state,
  email,
  emailVerified,
  username,
  name,
  role,
  language,
  created,
});
