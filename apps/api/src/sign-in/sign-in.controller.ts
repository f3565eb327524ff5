import { Body, Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { words } from '@charter/organization';
import { z } from 'zod';
import { Answers, noContent, ok } from '../http/declared-answers';
import { confirmNewEmail } from '../account/change-email';
import { Token } from '../account/account.requests';
import { Public } from '../http/authentication/authentication-guard';
import { resetRequests } from './password/forgot';
import { InvitationAnswer, invitationOf } from './password/invitation';
import { logInWithPassword } from './password/log-in';
import { endBrowserSession } from './log-out';
import { resetPassword } from './password/reset-password';
import type { Charter } from '@charter/application';
import { STORES } from '../process/parts/stores';
import { type Clock, CLOCK } from '../process/parts/clock';
import { type Observability, OBSERVABILITY } from '../process/parts/observability';
import { type Authentication, AUTHENTICATION } from '../process/parts/authentication';
import { type Background, BACKGROUND } from '../process/parts/background';

const Forgot = z.strictObject({ email: z.string() });
const Reset = z.strictObject({ token: z.string().max(1_000), password: z.string(), name: words.Name.optional() });
const text = { type: 'string' as const };

/** Signing in, resetting a password and signing out (`api.md`, Sign-in). Each route requires the XSRF token. */
@ApiTags('Sign-in')
@Controller()
export class SignInController {
  private readonly runtime: Pick<
    Charter,
    'settings' | 'keyFor' | 'log' | 'database' | 'view' | 'organizations' | 'trail' | 'passwords'
  > &
    Clock &
    Pick<Observability, 'logger' | 'counts'> &
    Pick<Authentication, 'browserSessions' | 'signedIn'> &
    Pick<Background, 'backgroundWork' | 'deferred' | 'mails'>;
  private readonly requestReset: ReturnType<typeof resetRequests>;

  constructor(
    @Inject(STORES)
    stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(OBSERVABILITY) observability: Observability,
    @Inject(AUTHENTICATION) authentication: Authentication,
    @Inject(BACKGROUND) background: Background,
  ) {
    this.runtime = { ...stores, ...clock, ...observability, ...authentication, ...background };
    this.requestReset = resetRequests(this.runtime);
  }

  @Public()
  @Post('login')
  @HttpCode(204)
  @ApiOperation({ summary: 'Sign in and get a session cookie; all refusals are equal 401s' })
  @ApiBody({
    schema: { type: 'object', required: ['username', 'password'], properties: { username: text, password: text } },
  })
  @Answers('everyone', noContent('Set-Cookie'), [401])
  async login(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    await logInWithPassword(this.runtime, request, response);
  }

  @Public()
  @Post('forgot')
  @HttpCode(204)
  @ApiOperation({ summary: 'Request a reset link by e-mail; the answer does not depend on the address' })
  @Answers('everyone', noContent())
  async forgot(@Body({ schema: Forgot }) { email }: z.infer<typeof Forgot>, @Req() request: Request) {
    await this.requestReset(request, email);
  }

  @Public()
  @Post('reset')
  @HttpCode(204)
  @ApiOperation({ summary: 'Set a password by a mailed link, which works once; an invitation also signs in' })
  @Answers('everyone', noContent('Set-Cookie'))
  async reset(
    @Body({ schema: Reset }) input: z.infer<typeof Reset>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    await resetPassword(this.runtime, request, response, input);
  }

  /** POST instead of GET, so that no URL and no log contains the token. */
  @Public()
  @Post('invitation')
  @HttpCode(200)
  @ApiOperation({ summary: 'Show the organization and the person of an invitation to the holder of its link' })
  @Answers('everyone', ok(InvitationAnswer))
  invitation(@Body({ schema: Token }) { token }: z.infer<typeof Token>, @Req() request: Request) {
    return invitationOf(this.runtime, request, token);
  }

  /** Requires no session, because the person may open the mail in another browser. The token identifies the account. */
  @Public()
  @Post('email/confirm')
  @HttpCode(204)
  @ApiOperation({ summary: 'Confirm a new e-mail address by the mailed token' })
  @Answers('everyone', noContent('Set-Cookie'))
  async confirm(
    @Body({ schema: Token }) { token }: z.infer<typeof Token>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    await confirmNewEmail(this.runtime, request, response, token);
  }

  @Public()
  @Post('logout')
  @HttpCode(204)
  @ApiOperation({ summary: 'End this session' })
  @Answers('everyone', noContent('Set-Cookie', 'Clear-Site-Data'))
  async logout(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    await endBrowserSession(this.runtime, request, response);
  }
}
