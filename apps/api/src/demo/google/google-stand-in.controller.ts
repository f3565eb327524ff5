import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Charter } from '@charter/application';
import type { Request, Response } from 'express';
import { Public } from '../../http/authentication/authentication-guard';
import { isLocalRequest } from '../../http/input/local-request';
import { ProblemError } from '../../http/problems/problem';
import { demoPage } from '../../pages/demo-page';
import { escapeHtml } from '../../pages/page-template';
import { type PageSettings, PAGE_SETTINGS } from '../../process/parts/page-settings';
import { STORES } from '../../process/parts/stores';
import type { AuthorizationRequest, GoogleStandIn } from './google-stand-in';
import type { StandInAccount } from './stand-in-accounts';

/**
 * The page of the demo's stand-in for Google: a person on this machine chooses one of the demo's people. The requests
 * change nothing, so GET is enough. Only the browser that began the sign-in can use the answer, because of its state.
 */
@ApiExcludeController()
@Controller('dev/google')
export class GoogleStandInController {
  private readonly runtime: Pick<Charter, 'settings'> & Pick<PageSettings, 'googleStandIn'>;

  constructor(@Inject(STORES) stores: Charter, @Inject(PAGE_SETTINGS) pageSettings: PageSettings) {
    this.runtime = { ...stores, ...pageSettings };
  }

  @Public()
  @Get()
  async choose(@Req() request: Request, @Res() response: Response) {
    const standIn = this.standInFor(request);
    const wanted = requestIn(standIn, request);
    response.type('html').send(demoPage('Choose a person', choice(wanted, standIn, await standIn.accounts())));
  }

  @Public()
  @Get('as/:account')
  async chosen(@Req() request: Request, @Param('account') account: string, @Res() response: Response) {
    const standIn = this.standInFor(request);
    const address = await standIn.allow(requestIn(standIn, request), account);
    if (address === undefined) throw notFound();
    response.redirect(302, address);
  }

  /** @throws ProblemError 404 unless a browser on this machine uses a demo with the stand-in */
  private standInFor(request: Request): GoogleStandIn {
    const { settings, googleStandIn } = this.runtime;
    if (!googleStandIn || !isLocalRequest(request, settings)) throw notFound();
    return googleStandIn;
  }
}

/** @throws ProblemError 400; the browser then stays here, because the callback in the request may be forged */
function requestIn(standIn: GoogleStandIn, { query }: Request): AuthorizationRequest {
  const wanted = standIn.readRequest(query);
  if (!wanted) throw new ProblemError(400, 'malformed', 'The sign-in page did not make this request for a sign-in.');
  return wanted;
}

const notFound = () => new ProblemError(404, 'not-found', 'There is nothing at this address.');

function choice(wanted: AuthorizationRequest, standIn: GoogleStandIn, accounts: readonly StandInAccount[]): string {
  const query = new URLSearchParams(wanted).toString();
  const items = accounts.map(
    ({ id, name, about, email }) => `<li>
<a href="/dev/google/as/${id}?${escapeHtml(query)}">${escapeHtml(name)}</a>
<span>${escapeHtml(about)}, ${escapeHtml(email)}</span>
</li>`,
  );
  const people =
    items.length > 0
      ? `<ul>\n${items.join('\n')}\n</ul>`
      : '<p>The demo is still preparing its people. Reload this page in a few seconds.</p>';
  return `<h1>This is the demo's stand-in for Google</h1>
<p>Nothing here reaches Google. Choose the person who signs in to Charter:</p>
${people}
<p><a href="${escapeHtml(standIn.cancel(wanted))}">Cancel</a></p>
<p>To sign in with real Google accounts, set <code>GOOGLE_CLIENT_ID</code> and <code>GOOGLE_CLIENT_SECRET</code>.</p>`;
}
