import { Controller, Get, Inject, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { ProviderIdentity } from '@charter/identity';
import type { Request, Response } from 'express';
import { Public } from '../../http/authentication/authentication-guard';
import { completeSignIn } from '../federation/complete-sign-in';
import { GoogleFailureFilter } from '../federation/sign-in-failure';
import type { SignInFlow } from '../federation/sign-in-flow';
import { GoogleCallbackGuard, GoogleRedirectGuard } from './google.guards';
import type { Charter } from '@charter/application';
import { STORES } from '../../process/parts/stores';
import { type Clock, CLOCK } from '../../process/parts/clock';
import { type Authentication, AUTHENTICATION } from '../../process/parts/authentication';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { type Background, BACKGROUND } from '../../process/parts/background';

/** The request after a successful callback, with the values that passport has added. */
type Returned = Request & Readonly<{ user: ProviderIdentity; authInfo: Readonly<{ state: SignInFlow }> }>;

/** Signing in with Google (`decisions.md`, Signing in, 5): the redirect to Google, and the callback from Google. */
@Public()
@ApiExcludeController()
@UseFilters(GoogleFailureFilter)
@Controller('auth')
export class GoogleController {
  private readonly runtime: Pick<Charter, 'settings' | 'log' | 'database' | 'view' | 'organizations' | 'trail'> &
    Clock &
    Pick<Authentication, 'browserSessions'> &
    Pick<OrganizationAccess, 'reading' | 'commands'> &
    Pick<Background, 'backgroundWork' | 'mails'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(AUTHENTICATION) authentication: Authentication,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
    @Inject(BACKGROUND) background: Background,
  ) {
    this.runtime = { ...stores, ...clock, ...authentication, ...access, ...background };
  }

  @Get('go/callback')
  @UseGuards(GoogleCallbackGuard)
  async back(@Req() request: Returned, @Res() response: Response): Promise<void> {
    await completeSignIn(this.runtime, request.user, request.authInfo.state, request, response);
  }

  /** The guard redirects the browser, so this method never runs. */
  @Get('go{/*token}')
  @UseGuards(GoogleRedirectGuard)
  there(): void {
    throw new Error('The guard must redirect every request to Google.');
  }
}
