import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Refused } from '@charter/aggregates';
import { isLogError } from '@charter/event-log';
import { Broken } from '@charter/integrity';
import { auditors, noSuchOrganization, words } from '@charter/organization';
import { exportOne, NotBelieved } from '@charter/application';
import type { Response } from 'express';
import { permitted } from '../organizations/organization.handlers';
import { type Call, OnCall } from '../http/request-context';
import { Stop } from '../http/problems/problem';
import { RUNTIME, type Runtime } from '../process/runtime';
import { sendLines } from './ndjson';

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
    @OnCall() { by, request }: Call,
    @Res() response: Response,
  ): Promise<void> {
    const { now, gate, recordRead } = this.runtime;
    await permitted(this.runtime, id, by.actor, auditors);
    const asker = { actor: by.actor, response };
    await gate(asker, async (gone, aside) => {
      const told = () => recordRead({ type: 'HistoryExported', data: { organization: id } }, by);
      const lines = exportOne(this.runtime, id, new Date(now()).toISOString(), gone);
      const headers = { 'Content-Disposition': `attachment; filename="organization-${id}.ndjson"` };
      await sendLines(once(told, lines), headers, { request, response, gone, aside });
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
  if (error instanceof NotBelieved)
    throw new Stop(500, 'not-believed', `${error.message} Nothing is signed.`, { why: error.message });
  if (!(error instanceof Broken)) throw error;
  const { at, reason } = error;
  throw new Stop(
    500,
    'broken-chain',
    `The hash chain is broken at revision ${at}: ${reason}. Nothing is signed over it.`,
    {
      at,
      why: reason,
    },
  );
}
