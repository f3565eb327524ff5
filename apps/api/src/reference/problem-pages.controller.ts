import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { isProblemReason } from '@charter/problems';
import type { Response } from 'express';
import { Public } from '../http/authentication/authentication-guard';
import { PAGE_SETTINGS, type PageSettings } from '../process/parts/page-settings';
import { filesOf } from './frame';
import { noSuchProblemPage, problemPage, problemsPage } from './problem-pages';

/** Serves a page for each type of problem documents, and a list of all types (`api.md`, Errors). */
@ApiExcludeController()
@Controller('problems')
export class ProblemPagesController {
  constructor(@Inject(PAGE_SETTINGS) private readonly settings: PageSettings) {}

  @Public()
  @Get('{/:reason}')
  page(@Res() response: Response, @Param('reason') reason?: string) {
    const files = filesOf(this.settings);
    response.type('html').set('Cache-Control', 'no-cache');
    if (reason === undefined) response.send(problemsPage(files));
    else if (isProblemReason(reason)) response.send(problemPage(reason, files));
    else response.status(404).send(noSuchProblemPage(files));
  }
}
