import { Controller, Get, Param, Res, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { words, auditors } from '@charter/organization';
import type { Response } from 'express';
import { Answers, lines } from '../http/declared-answers';
import { ExportLineAnswer } from './history.answers';
import { type OrganizationCall, CurrentCall } from '../http/request-context';
import { OrganizationExport } from './history.handlers';
import { NoQuery } from '../http/input/validation';

@ApiTags('History')
@Controller('api/v1/organizations/:id')
export class ExportController {
  constructor(private readonly queries: QueryBus) {}

  @Get('export')
  @ApiOperation({
    summary: 'The whole history as a file that an auditor can verify',
    description:
      'A CloudEvent 1.0 on each line, whose `data` is the object that the hash chain covers; the last line holds a signed ' +
      'checkpoint. `charter verify FILE` checks the file without a server. Charter signs no history that contradicts its last signed checkpoint.',
  })
  @Answers(auditors, lines(ExportLineAnswer, ['Content-Disposition']))
  async export(
    @Param('id', { schema: words.Id }) id: string,
    @Query({ schema: NoQuery }) _query: NoQuery,
    @CurrentCall() call: OrganizationCall,
    @Res() response: Response,
  ): Promise<void> {
    await this.queries.execute(new OrganizationExport(id, { ...call, response }));
  }
}
