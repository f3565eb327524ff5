import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Mail } from '@charter/database';
import { isOnLoopback } from '@charter/settings';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { isDemo } from '../demo/demo';
import { isLocalRequest } from '../http/input/local-request';
import { Public } from '../http/authentication/authentication-guard';
import { ProblemError } from '../http/problems/problem';
import type { RenderedMail } from './rendered-mail';
import { type DemoPage, demoPage, demoStyles } from '../pages/demo-page';
import { Html, html } from '../pages/html';
import { escapeHtml } from '../pages/page-template';
import type { Charter } from '@charter/application';
import { STORES } from '../process/parts/stores';
import { type Background, BACKGROUND } from '../process/parts/background';
import { type PageSettings, PAGE_SETTINGS } from '../process/parts/page-settings';

const SHOWN = 50;

/** Pages on which a browser on this machine reads the mails of a demo that has no mail server (`api.md`). */
@ApiExcludeController()
@Controller('dev')
export class DemoMailController {
  private readonly runtime: Pick<Charter, 'settings' | 'database'> &
    Pick<Background, 'mails'> &
    Pick<PageSettings, 'pages'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(BACKGROUND) background: Background,
    @Inject(PAGE_SETTINGS) pageSettings: PageSettings,
  ) {
    this.runtime = { ...stores, ...background, ...pageSettings };
  }

  @Public()
  @Get('mail')
  async list(@Req() request: Request, @Res() response: Response) {
    await this.requireLocalDemo(request);
    const mails = await this.runtime.database.mails.list({ limit: SHOWN });
    const letters = await Promise.all(mails.map((mail) => this.letter(mail)));
    const rows = mails.map(
      ({ id, kind, to, made, state }, index) =>
        html`<li>
          <a href="/dev/mail/${id}">${letters[index]?.subject ?? kind}</a>
          <span>to ${to}, <time datetime="${made}">${made.slice(0, 16).replace('T', ' ')} UTC</time>, ${state}</span>
        </li>`,
    );
    this.send(response, {
      heading: 'Mail',
      about: 'The mails of this demo, the newest first.',
      main:
        rows.length > 0
          ? html`<ul class="mails">
              ${rows}
            </ul>`
          : html`<p class="empty">No mail yet.</p>`,
    });
  }

  @Public()
  @Get('mail/:id')
  async one(@Req() request: Request, @Param('id') id: string, @Res() response: Response) {
    await this.requireLocalDemo(request);
    const mail = z.uuid().safeParse(id).success ? await this.runtime.database.mails.find(id.toLowerCase()) : undefined;
    if (!mail) throw notFound();
    const letter = await this.letter(mail);
    this.send(response, {
      heading: letter?.subject ?? mail.kind,
      about: `To ${mail.to}`,
      main: html`${
          letter
            ? html`<pre>${withLinks(letter.text)}</pre>`
            : html`<p class="empty">The mail was sent. Its content is not stored.</p>`
        }
        <p><a href="/dev/mail">All mail</a></p>`,
    });
  }

  private send(response: Response, page: Omit<DemoPage, 'panel'>): void {
    const { settings, pages } = this.runtime;
    response
      .type('html')
      .send(demoPage({ ...page, panel }, { product: settings.productName, styles: demoStyles(pages) }));
  }

  private letter(mail: Mail): Promise<RenderedMail | undefined> {
    return this.runtime.mails.open(mail).catch(() => undefined);
  }

  /**
   * The mails contain links that set a password, so only a local request to a demo may read them.
   * @throws ProblemError 404
   */
  private async requireLocalDemo(request: Request): Promise<void> {
    const { settings, database } = this.runtime;
    if (!isLocalRequest(request, settings) || !isOnLoopback(settings) || !(await isDemo(database.marks)))
      throw notFound();
  }
}

const notFound = () => new ProblemError(404, 'not-found', 'There is nothing at this address.');

const panel = html`<h2>The demo shows its mails here.</h2>
  <p>Without <code>SMTP_URL</code>, no mail leaves this machine. You can open each mail here, and follow its link.</p>
  <p>Only a browser on this machine can open this page, because the links in the mails set passwords.</p>`;

/** Turns each line of a mail that is a URL into a link. */
const withLinks = (text: string) =>
  new Html(
    escapeHtml(text).replace(/^https?:\/\/[\w.:[\]-]+\/[\w/.~%?=&;#-]*$/gm, (link) => `<a href="${link}">${link}</a>`),
  );
