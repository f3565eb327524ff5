import { Body, Controller, Get, HttpCode, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiCookieAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { z } from 'zod';
import { certified, eraseAccount } from './memberships';
import { PeopleOnly } from '../operators/operator-guards';
import { addressOf } from '../http/input/client-address';
import { Asking, type Known, type KnownRequest } from '../http/request-context';
import { RUNTIME, type Runtime } from '../process/runtime';
import { everythingAbout } from './own-data-export';
import { byOf, noteDone, personIn, provePassword } from './account';
import { Proof } from './account.requests';

/** Taking one's data along, and leaving for good (`api.md`, Own account; `acceptance.md` U6, U11). */
@ApiTags('Oneself')
@ApiCookieAuth('session')
@UseGuards(PeopleOnly)
@Controller('api/v1/me')
export class LeavingController {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Get('export')
  @ApiOperation({ summary: 'Everything that is kept about oneself, in one document' })
  async export(@Asking() known: Known, @Req() request: KnownRequest, @Res({ passthrough: true }) response: Response) {
    const { account } = personIn(known);
    const { gate, trail } = this.runtime;
    return gate({ actor: known.caller.actor, response }, async (gone) => {
      await trail.record({ account: account.id }, { type: 'DataExported', data: {} }, byOf(known));
      noteDone(this.runtime, known, addressOf(request, this.runtime.settings), 'data-exported');
      response.set('Content-Disposition', 'attachment; filename="my-data.json"');
      return everythingAbout(this.runtime, account, known.at, gone);
    });
  }

  /** An organization may not lose its last owner without knowing it. */
  @Post('close')
  @HttpCode(200)
  @ApiOperation({ summary: 'Close one’s account: everything personal is erased; the answer certifies it' })
  async close(
    @Body({ schema: Proof }) { password }: z.infer<typeof Proof>,
    @Asking() known: Known,
    @Req() request: KnownRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { account } = personIn(known);
    await provePassword(this.runtime, request, account, password);
    await eraseAccount(this.runtime, account.id, byOf(known));
    this.runtime.visitors.forget(response);
    response.set('Clear-Site-Data', '"cache", "storage"');
    noteDone(this.runtime, known, addressOf(request, this.runtime.settings), 'account-closed');
    return certified(this.runtime, account.id);
  }
}
