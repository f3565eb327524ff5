import { safeRedirect, signInToken } from '@charter/identity';
import type { Request, Response } from 'express';
import { requestLanguage } from '../http/input/language';
import type { SignedInPerson } from '../http/authentication/caller';
import { sessionHasEnded } from '../http/authentication/session-authentication';
import { headersOfPages } from '../http/headers';
import type { BuiltFile, BuiltPages } from './built-pages';
import { pageForSession, publicPage } from './page-choice';
import { fillTemplate } from './page-template';
import type { Charter } from '@charter/application';
import type { Clock } from '../process/parts/clock';
import type { Authentication } from '../process/parts/authentication';
import type { PageSettings } from '../process/parts/page-settings';

type Showing = Pick<Charter, 'settings' | 'keyFor'> &
  Clock &
  Pick<Authentication, 'browserSessions' | 'signedIn'> &
  Pick<PageSettings, 'demo' | 'needsFirstAccount'>;

/**
 * Sends the page for a URL. Sets the session cookie and the XSRF token if the browser has none. No cache may store the
 * page, because a sign-in page contains a token that works once.
 */
export async function sendPage(
  built: BuiltPages,
  runtime: Showing,
  request: Request,
  response: Response,
): Promise<void> {
  const { path, search } = addressed(request);
  const forAll = publicPage(path, search);
  const signedIn = forAll ? undefined : await runtime.signedIn(request);
  const choice = forAll ?? pageForSession(path, search, signedIn !== undefined);
  if ('goTo' in choice) {
    response.redirect(302, choice.goTo);
    return;
  }
  // A public page does not need the store of sessions: if the store does not answer, the browser's cookie stays.
  const hasEnded = !signedIn && (await sessionHasEnded(runtime, request).catch(() => false));
  const sessionHash = runtime.browserSessions.ensureSession(request, response, hasEnded);
  const language = requestLanguage(request, signedIn?.account.language, built.languages);
  const { text, styles } = built.pages.get(`${choice.page}.${language}`)!;
  response
    .set(headersOfPages(styles, runtime.settings.sentryDsn))
    .type('html')
    .send(
      fillTemplate(text(), {
        ...factsFor(runtime, language),
        'first-account': (await isFirstStart(runtime, choice.page)) ? 'on' : '',
        ...tokenFor(runtime, sessionHash, search),
        ...known(signedIn, runtime),
      }),
    );
}

/** The full path of the request; a router may have removed a part of it from `url`. */
function addressed({ originalUrl }: Request): { path: string; search: string } {
  const at = originalUrl.indexOf('?');
  return at < 0 ? { path: originalUrl, search: '' } : { path: originalUrl.slice(0, at), search: originalUrl.slice(at) };
}

const factsFor = ({ settings, demo }: Showing, language: string) => ({
  product: settings.productName,
  'product-key': settings.productKey,
  release: settings.release,
  demo: demo ? 'on' : '',
  'redirect-origins': settings.redirectOrigins.join(' '),
  language,
  'sentry-dsn': settings.sentryDsn,
});

/** Whether this page explains how to create the first operator. The accounts of a demo need no explanation. */
const isFirstStart = async ({ demo, needsFirstAccount }: Showing, page: string) =>
  !demo && page.startsWith('login') && (await needsFirstAccount());

/**
 * Makes the token for the link that begins a sign-in with Google (`/auth/go/TOKEN`). The token contains the checked
 * redirect and works only in this browser (`decisions.md`, Signing in, 5).
 */
const tokenFor = ({ settings, keyFor, now }: Showing, sessionHash: string, search: string) => {
  const requestedUrl = new URLSearchParams(search).get('redirect');
  const redirect = safeRedirect(requestedUrl, { publicUrl: settings.publicUrl, origins: settings.redirectOrigins });
  return { 'google-token': signInToken(keyFor('sign-in'), sessionHash, redirect, now()) };
};

const known = (signedIn: SignedInPerson | undefined, { settings }: Showing) =>
  signedIn && {
    'checkpoint-every': String(settings.checkpointEvery / 1_000),
    account: signedIn.account.id,
    'account-name': signedIn.account.name ?? signedIn.account.username ?? signedIn.account.email,
    'time-zone': signedIn.account.timeZone,
    'single-keys': { true: 'on', false: 'off', null: '' }[`${signedIn.account.singleKeys}`],
    'platform-role': signedIn.session.organization === null ? signedIn.account.role : null,
  };

/**
 * Sends a file of the build. The file's name changes with its content, so browsers may cache the file without limit.
 */
export function sendFile({ type, plain, br, gz }: BuiltFile, request: Request, response: Response): void {
  const takes = (encoding: string) => request.acceptsEncodings(encoding) === encoding;
  const [encoding, content] = br && takes('br') ? ['br', br] : gz && takes('gzip') ? ['gzip', gz] : [undefined, plain];
  response
    .set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'Content-Type': type, Vary: 'Accept-Encoding' })
    .set(encoding === undefined ? {} : { 'Content-Encoding': encoding })
    .send(content());
}

/** Paths that programs request. If a path that programs request has no route, the answer is a 404 and never a page. */
const programs = /^\/(api|ofrep|webhooks|auth|assets|health|metrics|dev|\.well-known)(\/|$)/i;

/**
 * Whether a browser requests a page. A program either does not accept HTML, or requests one of the paths in `programs`.
 */
export const isForPeople = (request: Request): boolean =>
  ['GET', 'HEAD'].includes(request.method) &&
  !programs.test(addressed(request).path) &&
  (request.headers.accept ?? '').includes('text/html');
