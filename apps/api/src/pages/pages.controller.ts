import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../http/authentication/authentication-guard';
import { ProblemError } from '../http/problems/problem';
import { sendFile, sendPage } from './send-page';
import { css, icon, plainPage } from './plain-page';
import type { Charter } from '@charter/application';
import { STORES } from '../process/parts/stores';
import { type Clock, CLOCK } from '../process/parts/clock';
import { type Authentication, AUTHENTICATION } from '../process/parts/authentication';
import { type PageSettings, PAGE_SETTINGS } from '../process/parts/page-settings';

/** Serves the console and the pages for signing in and for mailed links (`api.md`). */
@ApiExcludeController()
@Controller()
export class PagesController {
  private readonly runtime: Pick<Charter, 'settings' | 'keyFor'> &
    Clock &
    Pick<Authentication, 'browserSessions' | 'signedIn'> &
    PageSettings;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(AUTHENTICATION) authentication: Authentication,
    @Inject(PAGE_SETTINGS) pageSettings: PageSettings,
  ) {
    this.runtime = { ...stores, ...clock, ...authentication, ...pageSettings };
  }

  @Public()
  @Get([
    '',
    'verify',
    'forgot',
    'login{/:error}',
    'reset{/:token}',
    'invitation{/:token}',
    'email/confirm{/:token}',
    'org{/*place}',
    'me{/*place}',
  ])
  async page(@Req() request: Request, @Res() response: Response) {
    const { pages, settings, demo, browserSessions } = this.runtime;
    if (pages) {
      await sendPage(pages, this.runtime, request, response);
      return;
    }
    browserSessions.ensureSession(request, response);
    response.type('html').send(plainPage(settings.productName, settings.release, demo));
  }

  @Public()
  @Get('assets/*file')
  file(@Req() request: Request, @Res() response: Response) {
    const file = this.runtime.pages?.files.get(request.path);
    if (!file) throw new ProblemError(404, 'not-found', 'There is nothing at this address.');
    sendFile(file, request, response);
  }

  @Public()
  @Get('charter.css')
  style(@Res() response: Response) {
    response.type('css').set('Cache-Control', 'public, max-age=3600').send(css);
  }

  @Public()
  @Get('favicon.ico')
  icon(@Res() response: Response) {
    response.type('image/svg+xml').set('Cache-Control', 'public, max-age=86400').send(icon);
  }
}
