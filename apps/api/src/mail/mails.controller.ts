import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiCookieAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { refuse } from '@charter/decider';
import type { Mail } from '@charter/documents';
import { Refused } from '@charter/event-log';
import { isAny } from '@charter/organization';
import { z } from 'zod';
import type { Caller } from '../request/caller';
import { Asking, type Known } from '../request/envelope';
import { Stop } from '../request/problem';
import { RUNTIME, type Runtime } from '../runtime';
import { cursorAt, MailsQuery } from './mails.requests';

/** What became of our mails, for operators: a mail server that fails is nobody else's concern (`acceptance.md` B2). */
@ApiTags('Operations')
@ApiCookieAuth('session')
@Controller('api/v1/mails')
export class MailsController {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Get()
  @ApiOperation({ summary: 'List mails, the newest first: whether they were sent, and why not' })
  async list(
    @Query({ schema: MailsQuery }) { state, cursor, limit }: z.infer<typeof MailsQuery>,
    @Asking() { caller }: Known,
  ) {
    onlyOperators(caller);
    const found = await this.runtime.documents.mails.list({ state, before: cursor, limit: limit + 1 });
    const mails = found.slice(0, limit);
    return { mails: mails.map(printed), next: found.length > limit ? cursorAt(mails.at(-1)!) : null };
  }

  @Post(':id/retry')
  @HttpCode(200)
  @ApiOperation({ summary: 'Try a mail again that was given up' })
  async retry(@Param('id', { schema: z.uuid() }) id: string, @Asking() { caller }: Known) {
    onlyOperators(caller);
    const outcome = await this.runtime.mails.retry(id.toLowerCase());
    if (outcome === 'unknown') throw new Stop(404, 'no-such-mail', 'No mail of this id was given up.');
    if (outcome === 'dead')
      throw new Stop(
        409,
        'link-expired',
        'The link in this mail works no longer. Whoever needs one asks for a new one.',
      );
    return printed((await this.runtime.documents.mails.find(id.toLowerCase()))!);
  }
}

/** Everything but what it says. */
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

function onlyOperators({ actor }: Caller): void {
  if (!isAny(['operator'], actor.powers)) throw new Refused(refuse('not-allowed', 'This takes an operator.'));
}
