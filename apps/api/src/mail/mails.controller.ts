import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Mail } from '@charter/database';
import { words } from '@charter/organization';
import { z } from 'zod';
import { Answers, ok } from '../http/declared-answers';
import { MailAnswer, MailPage } from './mails.answers';
import { logOperation } from '../account/account';
import { OperatorsOnly } from '../operators/operator-guards';
import { clientAddressOf } from '../http/input/client-address';
import { CurrentContext, type RequestContext, type RequestWithContext } from '../http/request-context';
import { ProblemError } from '../http/problems/problem';
import { mailCursor, MailsQuery } from './mails.requests';
import type { Charter } from '@charter/application';
import { STORES } from '../process/parts/stores';
import { type Observability, OBSERVABILITY } from '../process/parts/observability';
import { type Background, BACKGROUND } from '../process/parts/background';

/**
 * The routes by which operators list mails and their states. Other callers must not learn whether the mail server works
 * (`acceptance.md` B2).
 */
@ApiTags('Operations')
@UseGuards(OperatorsOnly)
@Controller('api/v1/mails')
export class MailsController {
  private readonly runtime: Pick<Charter, 'settings' | 'database'> &
    Pick<Observability, 'logger'> &
    Pick<Background, 'mails'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(OBSERVABILITY) observability: Observability,
    @Inject(BACKGROUND) background: Background,
  ) {
    this.runtime = { ...stores, ...observability, ...background };
  }

  @Get()
  @ApiOperation({ summary: 'List mails, the newest first, each with its state and its last error' })
  @Answers('operators', ok(MailPage))
  async list(@Query({ schema: MailsQuery }) { state, cursor, limit }: z.infer<typeof MailsQuery>) {
    const query = { state, before: cursor, limit: limit + 1 };
    const found = await this.runtime.database.mails.list(query);
    const mails = found.slice(0, limit);
    return { mails: mails.map(printed), next: found.length > limit ? mailCursor(mails.at(-1)!) : null };
  }

  @Post(':id/retry')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send a failed mail again' })
  @Answers('operators', ok(MailAnswer), [409])
  async retry(
    @Param('id', { schema: words.Id }) id: string,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
  ) {
    const { database, mails, settings } = this.runtime;
    const outcome = await mails.retry(id);
    if (outcome === 'unknown') throw new ProblemError(404, 'no-such-mail', 'No failed mail has this id.');
    if (outcome === 'dead')
      throw new ProblemError(
        409,
        'link-expired',
        'The link in this mail no longer works. Its recipient can request a new one.',
      );
    logOperation(this.runtime, context, clientAddressOf(request, settings), 'mail-retried', { mail: id });
    return printed((await database.mails.find(id))!);
  }
}

/** The mail in an answer, without its content. */
const printed = ({ id, kind, account, to, language, made, state, attempts, next, error, expires, settled }: Mail) => ({
  id,
  kind,
  account,
  to,
  language,
  made,
  state,
  attempts,
  next: state === 'waiting' ? next : null,
  error,
  expires,
  settled,
});
