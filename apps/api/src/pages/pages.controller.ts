import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Open } from '../http/authentication/authentication-guard';
import { Stop } from '../http/problems/problem';
import { RUNTIME, type Runtime } from '../process/runtime';
import { sendFile, sendPage } from './send-page';
import { css, icon, plainPage } from './plain-page';

/** What people see: signing in, the links that were mailed, and the console (`api.md`). */
@ApiExcludeController()
@Controller()
export class PagesController {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Open()
  @Get(['', 'forgot', 'login{/:error}', 'reset{/:token}', 'email/confirm{/:token}', 'org{/*place}', 'me{/*place}'])
  async page(@Req() request: Request, @Res() response: Response) {
    const { pages, settings, demo, visitors } = this.runtime;
    if (pages) {
      await sendPage(pages, this.runtime, request, response);
      return;
    }
    visitors.greet(request, response);
    response.type('html').send(plainPage(settings.productName, settings.release, demo));
  }

  @Open()
  @Get('assets/*file')
  file(@Req() request: Request, @Res() response: Response) {
    const file = this.runtime.pages?.files.get(request.path);
    if (!file) throw new Stop(404, 'not-found', 'There is nothing at this address.');
    sendFile(file, request, response);
  }

  @Open()
  @Get('charter.css')
  style(@Res() response: Response) {
    response.type('css').set('Cache-Control', 'public, max-age=3600').send(css);
  }

  @Open()
  @Get('favicon.ico')
  icon(@Res() response: Response) {
    response.type('image/svg+xml').set('Cache-Control', 'public, max-age=86400').send(icon);
  }
}
