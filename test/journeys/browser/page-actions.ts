import type { Page, Request } from 'playwright-core';
import type { Visit } from './stage';

/** The fields and buttons of the sign-in pages that the specification names. */
export const fields = (page: Page) => ({
  username: page.locator('input[name=username]'),
  password: page.locator('input[name=password]'),
  logIn: page.getByRole('button', { name: 'Log in', exact: true }),
  google: page.getByRole('button', { name: 'Sign in with Google', exact: true }),
  sso: page.getByRole('button', { name: 'Sign in with single sign-on', exact: true }),
  forgotten: page.getByRole('link', { name: 'Forgot your password?', exact: true }),
  email: page.locator('input[name=email]'),
  send: page.getByRole('button', { name: 'Send', exact: true }),
  newPassword: page.locator('input[name=new-password]'),
  save: page.getByRole('button', { name: 'Save password', exact: true }),
  name: page.locator('input[name=name]'),
  saveAndLogIn: page.getByRole('button', { name: 'Save password and log in', exact: true }),
  alert: page.getByRole('alert'),
});

/** Fills in the username and the password, and presses the button Log in. */
export async function logIn(page: Page, username: string, password: string): Promise<void> {
  const form = fields(page);
  await form.username.fill(username);
  await form.password.fill(password);
  await form.logIn.click();
}

/** Drops a file with this text on the page that checks files. */
export const dropped = (page: Page, name: string, text: string) =>
  page.evaluate(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    const target = document.querySelector('input[type=file]').parentElement;
    for (const type of ['dragover', 'drop'])
      target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
  })()`);

export type Reply = Readonly<{ status: number; headers?: Readonly<Record<string, string>> }> | 'no network' | 'aborted';

/**
 * From now on, the browser answers each request to this path, except GET, with `reply`, and does not send it to the
 * service. Resolves with the list of these requests, which grows with each request.
 */
export async function answerCalls(
  { page, mayFail }: Visit,
  path: string,
  reply: Reply | Promise<Reply> | (() => Promise<Reply>),
): Promise<readonly Request[]> {
  const sent: Request[] = [];
  mayFail(path);
  await page.route(
    ({ pathname }) => pathname === path,
    async (route) => {
      if (route.request().method() === 'GET') return route.fallback();
      sent.push(route.request());
      const answer = await (typeof reply === 'function' ? reply() : reply);
      if (answer === 'no network') return route.abort('internetdisconnected');
      if (answer === 'aborted') return route.abort('aborted');
      return route.fulfill(answer);
    },
  );
  return sent;
}

/**
 * From now on, a navigation to a matching URL shows a blank page. Resolves with the list of these URLs, which grows
 * with each navigation.
 */
export async function arrivals({ page }: Visit, isMeant: (url: URL) => boolean): Promise<readonly string[]> {
  const addresses: string[] = [];
  await page.route(isMeant, (route) => {
    if (!route.request().isNavigationRequest()) return route.fallback();
    addresses.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>There</title>' });
  });
  return addresses;
}

/** The text content of each visible element, including the text of its child elements. */
export const texts = (page: Page) =>
  page.evaluate<string[]>(
    '[...document.body.querySelectorAll("*")].filter((one) => one.checkVisibility({ visibilityProperty: true })).map((one) => one.textContent)',
  );

/** A promise, and the function that resolves it. */
export function answerLater<Value>(): { value: Promise<Value>; settle: (value: Value) => void } {
  const { promise, resolve } = Promise.withResolvers<Value>();
  return { value: promise, settle: resolve };
}

/** Signs in at the service with the form, and waits until the browser has left the sign-in page. */
export async function signIn({ page }: Visit, username: string, password: string): Promise<void> {
  await logIn(page, username, password);
  await page.waitForURL(({ pathname }) => !/^\/login/.test(pathname));
}

/**
 * Sends a request from within the page, with the page's XSRF token. Journeys use this function for actions that have no
 * button.
 */
export const call = (page: Page, method: string, path: string, body?: object) =>
  page.evaluate<{ status: number; body: ReturnType<typeof JSON.parse> }>(
    `(${calling})(${JSON.stringify({ method, path, body })})`,
  );

const calling = `async ({ method, path, body }) => {
  const [, token = ''] = /XSRF-TOKEN=([^;]+)/.exec(document.cookie) ?? [];
  const headers = { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': decodeURIComponent(token) };
  const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}`;
