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
import { demoCss, demoPage } from '../pages/demo-page';
import { escapeHtml } from '../pages/page-template';
import type { Charter } from '@charter/application';
import { STORES } from '../process/parts/stores';
import { type Background, BACKGROUND } from '../process/parts/background';

const SHOWN = 50;

/** Pages on which a browser on this machine reads the mails of a demo that has no mail server (`api.md`). */
@ApiExcludeController()
@Controller('dev')
export class DemoMailController {
  private readonly runtime: Pick<Charter, 'settings' | 'database'> & Pick<Background, 'mails'>;

  constructor(@Inject(STORES) stores: Charter, @Inject(BACKGROUND) background: Background) {
    this.runtime = { ...stores, ...background };
  }

  @Public()
  @Get('mail')
  async list(@Req() request: Request, @Res() response: Response) {
    await this.requireLocalDemo(request);
    const mails = await this.runtime.database.mails.list({ limit: SHOWN });
    const letters = await Promise.all(mails.map((mail) => this.letter(mail)));
    const items = mails.map(
      (mail, index) => `<li>
<a href="/dev/mail/${mail.id}">${escapeHtml(letters[index]?.subject ?? mail.kind)}</a>
<span>to ${escapeHtml(mail.to)}, <time datetime="${mail.made}">${mail.made.slice(0, 16).replace('T', ' ')} UTC</time>, ${mail.state}</span>
</li>`,
    );
    const body =
      items.length > 0
        ? `<ul>\n${items.join('\n')}\n</ul>`
        : '<p>No mail yet. New mails appear here, the newest first.</p>';
    response
      .type('html')
      .send(demoPage('Mail', `<h1>Mail</h1>\n<p>Demo mode: mails wait here instead of being sent.</p>\n${body}`));
  }

  @Public()
  @Get('mail.css')
  async style(@Req() request: Request, @Res() response: Response) {
    await this.requireLocalDemo(request);
    response.type('css').send(demoCss);
  }

  @Public()
  @Get('mail/:id')
  async one(@Req() request: Request, @Param('id') id: string, @Res() response: Response) {
    await this.requireLocalDemo(request);
    const mail = z.uuid().safeParse(id).success ? await this.runtime.database.mails.find(id.toLowerCase()) : undefined;
    if (!mail) throw notFound();
    const letter = await this.letter(mail);
    const text = letter
      ? `<pre>${withLinks(letter.text)}</pre>`
      : '<p>The mail was sent. Its content is not stored.</p>';
    const subject = escapeHtml(letter?.subject ?? mail.kind);
    response
      .type('html')
      .send(
        demoPage(
          subject,
          `<p><a href="/dev/mail">All mail</a></p>\n<h1>${subject}</h1>\n<p>To ${escapeHtml(mail.to)}</p>\n${text}`,
        ),
      );
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

/** Turns each line of a mail that is a URL into a link. */
const withLinks = (text: string) =>
  escapeHtml(text).replace(/^https?:\/\/[\w.:[\]-]+\/[\w/.~%?=&;#-]*$/gm, (link) => `<a href="${link}">${link}</a>`);
