import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Refused } from '@charter/aggregates';
import { isLogError } from '@charter/event-log';
import { BrokenChain } from '@charter/integrity';
import { auditors, noSuchOrganization, words } from '@charter/organization';
import { exportOrganization, SignedHeadsInvalid } from '@charter/application';
import type { Response } from 'express';
import { requireRole } from '../organizations/require-role';
import { type OrganizationCall, CurrentCall } from '../http/request-context';
import { ProblemError } from '../http/problems/problem';
import { RUNTIME, type Runtime } from '../process/runtime';
import { sendNdjson } from './ndjson';

@ApiTags('History')
@ApiBearerAuth()
@Controller('api/v1/organizations/:id')
export class ExportController {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Get('export')
  @ApiOperation({
    summary: 'The whole history in a file that proves itself',
    description:
      'A CloudEvent 1.0 on each line, whose `data` is the object that the hash chain covers; the last line holds a signed ' +
      'checkpoint. `charter verify FILE` checks it with no server. Nothing is signed that is not what was signed last.',
  })
  @ApiOkResponse({ content: { 'application/x-ndjson': { schema: { type: 'string' } } } })
  async export(
    @Param('id', { schema: words.Id }) id: string,
    @CurrentCall() { context, request }: OrganizationCall,
    @Res() response: Response,
  ): Promise<void> {
    const { now, gate, recordRead } = this.runtime;
    await requireRole(this.runtime, id, context.actor, auditors);
    const asker = { actor: context.actor, response };
    await gate(asker, async (gone, aside) => {
      const told = () => recordRead({ type: 'HistoryExported', data: { organization: id } }, context);
      const lines = exportOrganization(this.runtime, id, new Date(now()).toISOString(), gone);
      const headers = { 'Content-Disposition': `attachment; filename="organization-${id}.ndjson"` };
      await sendNdjson(once(told, lines), headers, { request, response, gone, aside });
    }).catch(refused);
  }
}

/** Does something before the first line is handed on, once it is known that there is one. */
async function* once(act: () => Promise<void>, lines: AsyncIterable<string>): AsyncGenerator<string> {
  let isDone = false;
  for await (const line of lines) {
    if (!isDone) await act();
    isDone = true;
    yield line;
  }
}

function refused(error: unknown): never {
  if (isLogError(error, 'not-found')) throw new Refused(noSuchOrganization);
  if (error instanceof SignedHeadsInvalid)
    throw new ProblemError(500, 'not-believed', `${error.message} Nothing is signed.`, { why: error.message });
  if (!(error instanceof BrokenChain)) throw error;
  const { at, reason } = error;
  throw new ProblemError(
    500,
    'broken-chain',
    `The hash chain is broken at revision ${at}: ${reason}. Nothing is signed over it.`,
    {
      at,
      why: reason,
    },
  );
}
