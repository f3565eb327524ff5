import { Body, Controller, Get, HttpCode, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { z } from 'zod';
import { Answers, ok } from '../http/declared-answers';
import { ErasureCertificate, OwnDataExport } from './account.answers';
import { erasureCertificateOf, eraseAccount } from './memberships';
import { PeopleOnly } from '../operators/operator-guards';
import { sendInPieces } from '../history/ndjson';
import { clientAddressOf } from '../http/input/client-address';
import { CurrentContext, type RequestContext, type RequestWithContext } from '../http/request-context';
import { ownDataTexts } from './own-data-export';
import { auditContextOf, logOperation, signedInPerson, provePassword } from './account';
import { Proof } from './account.requests';
import { type Charter, ErasedDataRemains } from '@charter/application';
import { STORES } from '../process/parts/stores';
import { type Clock, CLOCK } from '../process/parts/clock';
import { type Observability, OBSERVABILITY } from '../process/parts/observability';
import { type Gates, GATES } from '../process/parts/gates';
import { type Authentication, AUTHENTICATION } from '../process/parts/authentication';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';
import { type Background, BACKGROUND } from '../process/parts/background';

/**
 * The routes by which people export their own data and close their own accounts (`api.md`, Own account; `acceptance.md`
 * U6, U11).
 */
@ApiTags('Own account')
@UseGuards(PeopleOnly)
@Controller('api/v1/me')
export class OwnDataController {
  private readonly runtime: Pick<
    Charter,
    | 'settings'
    | 'log'
    | 'database'
    | 'view'
    | 'organizations'
    | 'signer'
    | 'trail'
    | 'accounts'
    | 'certificates'
    | 'passwords'
  > &
    Clock &
    Pick<Observability, 'logger'> &
    Pick<Gates, 'gate'> &
    Pick<Authentication, 'browserSessions'> &
    Pick<OrganizationAccess, 'reading' | 'commands'> &
    Pick<Background, 'deferred'>;

  constructor(
    @Inject(STORES)
    stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(OBSERVABILITY) observability: Observability,
    @Inject(GATES) gates: Gates,
    @Inject(AUTHENTICATION) authentication: Authentication,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
    @Inject(BACKGROUND) background: Background,
  ) {
    this.runtime = { ...stores, ...clock, ...observability, ...gates, ...authentication, ...access, ...background };
  }

  @Get('export')
  @ApiOperation({ summary: 'Export all stored data about the own account as a single document' })
  @Answers('people', ok(OwnDataExport, ['Content-Disposition']))
  async export(
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
    @Res() response: Response,
  ) {
    const { account } = signedInPerson(context);
    const { gate, trail } = this.runtime;
    await gate({ actor: context.caller.actor, response }, async (gone, releaseSlotWhile) => {
      await trail.record({ account: account.id }, { type: 'DataExported', data: {} }, auditContextOf(context));
      logOperation(this.runtime, context, clientAddressOf(request, this.runtime.settings), 'data-exported');
      const headers = {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Disposition': 'attachment; filename="my-data.json"',
      };
      const texts = ownDataTexts(this.runtime, account, context.at, gone);
      await sendInPieces(texts, headers, { request, response, gone, releaseSlotWhile });
    });
  }

  /** A person who is the last owner of an organization cannot close their own account. */
  @Post('close')
  @HttpCode(200)
  @ApiOperation({ summary: 'Close the own account: all personal data is erased; the answer is a certificate' })
  @Answers('people', ok(ErasureCertificate, ['Set-Cookie', 'Clear-Site-Data']), [409])
  async close(
    @Body({ schema: Proof }) { password }: z.infer<typeof Proof>,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { account } = signedInPerson(context);
    await provePassword(this.runtime, request, account, password);
    const signOut = () => {
      this.runtime.browserSessions.clear(response);
      response.set('Clear-Site-Data', '"cache", "storage"');
      logOperation(this.runtime, context, clientAddressOf(request, this.runtime.settings), 'account-closed');
    };
    const erased = await eraseAccount(this.runtime, account.id, auditContextOf(context)).catch((error: unknown) => {
      if (error instanceof ErasedDataRemains) signOut();
      throw error;
    });
    signOut();
    return erasureCertificateOf(this.runtime, account.id, erased?.remains ?? null);
  }
}
