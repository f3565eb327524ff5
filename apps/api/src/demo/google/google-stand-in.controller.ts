import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Charter } from '@charter/application';
import type { Request, Response } from 'express';
import { Public } from '../../http/authentication/authentication-guard';
import { isLocalRequest } from '../../http/input/local-request';
import { ProblemError } from '../../http/problems/problem';
import { type DemoPage, demoPage, demoStyles } from '../../pages/demo-page';
import { html } from '../../pages/html';
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
  private readonly runtime: Pick<Charter, 'settings'> & Pick<PageSettings, 'googleStandIn' | 'pages'>;

  constructor(@Inject(STORES) stores: Charter, @Inject(PAGE_SETTINGS) pageSettings: PageSettings) {
    this.runtime = { ...stores, ...pageSettings };
  }

  @Public()
  @Get()
  async choose(@Req() request: Request, @Res() response: Response) {
    const standIn = this.standInFor(request);
    const wanted = requestIn(standIn, request);
    const page = accountChooser(wanted, standIn, await standIn.accounts());
    const { settings, pages } = this.runtime;
    response
      .type('html')
      .send(demoPage({ ...page, panel }, { product: settings.productName, styles: demoStyles(pages) }));
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

const accountChooser = (
  wanted: AuthorizationRequest,
  standIn: GoogleStandIn,
  accounts: readonly StandInAccount[],
): Omit<DemoPage, 'panel'> => {
  const query = new URLSearchParams(wanted).toString();
  return {
    heading: 'Choose a person',
    about: "This is the demo's stand-in for Google. It needs no password.",
    main: html`${
        accounts.length > 0
          ? html`<ul class="people">
              ${accounts.map((account) => rowOf(account, query))}
            </ul>`
          : html`<p class="empty">The demo is still preparing its people. Reload this page in a few seconds.</p>`
      }
      <p><a href="${standIn.cancel(wanted)}">Cancel</a></p>`,
  };
};

const rowOf = ({ id, name, about, email }: StandInAccount, query: string) =>
  html`<li>
    <a href="/dev/google/as/${id}?${query}"><strong>${name}</strong> <span>${about}, ${email}</span></a>
  </li> `;

const panel = html`<h2>Nothing here reaches Google.</h2>
  <p>The demo answers instead of Google. Charter checks this answer in the same way as Google's answer.</p>
  <p>
    To sign in with real Google accounts, set <code>GOOGLE_CLIENT_ID</code> and <code>GOOGLE_CLIENT_SECRET</code>.
  </p>`;
