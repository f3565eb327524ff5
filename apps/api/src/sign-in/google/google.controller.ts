import { Controller, Get, Inject, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Vouched } from '@charter/identity';
import type { Request, Response } from 'express';
import { Open } from '../../http/authentication/authentication-guard';
import { RUNTIME, type Runtime } from '../../process/runtime';
import { arrive } from '../federation/complete-sign-in';
import { BackFromGoogle } from '../federation/sign-in-failure';
import type { Flow } from '../federation/sign-in-flow';
import { FromGoogle, ToGoogle } from './google.guards';

/** What the library leaves on a request that came back well. */
type Returned = Request & Readonly<{ user: Vouched; authInfo: Readonly<{ state: Flow }> }>;

/** Signing in with Google (`decisions.md`, Signing in, 5): there and back, and always to an address of ours. */
@Open()
@ApiExcludeController()
@UseFilters(BackFromGoogle)
@Controller('auth')
export class GoogleController {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Get('go/callback')
  @UseGuards(FromGoogle)
  async back(@Req() request: Returned, @Res() response: Response): Promise<void> {
    await arrive(this.runtime, request.user, request.authInfo.state, request, response);
  }

  /** The guard sends the browser on. */
  @Get('go{/*token}')
  @UseGuards(ToGoogle)
  there(): void {
    throw new Error('Nobody stays here.');
  }
}
