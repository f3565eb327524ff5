import { I18nProvider } from '@lingui/react';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axios, { AxiosError, CanceledError, type InternalAxiosRequestConfig } from 'axios';
import { Provider } from 'react-redux';
import { BrowserRouter } from 'react-router-dom';
import { messages as linksEn } from '../../locales/links/en.po';
import { messages as linksFi } from '../../locales/links/fi.po';
import { messages as signInEn } from '../../locales/sign-in/en.po';
import { messages as signInFi } from '../../locales/sign-in/fi.po';
import type { PageConfig } from '../page-config';
import { emptyPageConfig } from '../page-config.testing';
import { configuredAxios } from '../http';
import { type Catalogues, languageChanger, loadLanguage } from '../languages';
import { LinkPages } from './links/LinkPages';
import { SignIn } from './SignIn';
import { createSignInStore } from './store';
import { type BrowserPorts, BrowserPortsContext } from './browser-ports';

/** The answer of the service. If this is a promise, the request stays pending until the spec resolves the promise. */
export type SignInReply =
  | Readonly<{ status: number; data?: object; headers?: Record<string, string> }>
  | 'no network'
  | 'canceled'
  | Promise<Readonly<{ status: number }>>;

/** One answer, or several in sequence. Further requests get the last answer again. */
type Replies = SignInReply | readonly SignInReply[];
type Visit = Readonly<{
  reply?: Replies;
  facts?: Partial<PageConfig>;
  linkToken?: string;
  wasSignedOut?: boolean;
  words?: Catalogues;
}>;

const catalogues = {
  en: () => Promise.resolve({ messages: { ...signInEn, ...linksEn } }),
  fi: () => Promise.resolve({ messages: { ...signInFi, ...linksFi } }),
};
/** Messages in which the browser cannot fetch those in Finnish. */
export const withoutFinnish: Catalogues = { ...catalogues, fi: () => Promise.reject(new TypeError('Failed to fetch')) };

/** Opens the real pages with the real store and the real axios. The spec replaces the network and the address bar. */
export async function visit(path: string, options: Visit = {}) {
  const { reply = { status: 204 }, facts = {}, linkToken = '', wasSignedOut = false, words = catalogues } = options;
  window.history.replaceState(null, '', path);
  const sent: [string, unknown][] = [];
  const went: string[] = [];
  const prefetched: string[] = [];
  const wire = configuredAxios(axios);
  wire.defaults.adapter = async (config) => {
    sent.push([config.url ?? '', JSON.parse(config.data as string)]);
    const replies = Array.isArray(reply) ? (reply as readonly SignInReply[]) : [reply as SignInReply];
    return answered(config, await (replies[sent.length - 1] ?? replies.at(-1)!));
  };
  const i18n = await loadLanguage(words, 'en');
  const ports: BrowserPorts = {
    facts: { ...emptyPageConfig, ...facts },
    post: (to, body) => wire.post(to, body),
    go: (address) => void went.push(address),
    prefetch: (addresses) => void prefetched.push(...addresses),
    linkToken,
    wasSignedOut,
    speak: languageChanger(words, document, i18n),
    carried: { email: '' },
  };
  const seen: unknown[] = [];
  const store = createSignInStore(ports, (action) => seen.push(action));
  const page = (
    <I18nProvider i18n={i18n}>
      <Provider store={store}>
        <BrowserPortsContext value={ports}>
          <BrowserRouter>
            <SignIn linkPages={LinkPages} />
          </BrowserRouter>
        </BrowserPortsContext>
      </Provider>
    </I18nProvider>
  );
  const { container, unmount } = render(page);
  return { user: userEvent.setup(), sent, went, prefetched, store, seen, ports, container, unmount, page };
}

function answered(config: InternalAxiosRequestConfig, reply: Awaited<SignInReply>) {
  if (reply === 'no network') throw new AxiosError('Network Error', AxiosError.ERR_NETWORK, config);
  if (reply === 'canceled') throw new CanceledError();
  const response = { data: '', statusText: '', headers: {}, config, ...reply };
  if (config.validateStatus?.(reply.status)) return response;
  throw new AxiosError(`status ${reply.status}`, AxiosError.ERR_BAD_RESPONSE, config, undefined, response);
}

export const fields = {
  username: () => screen.getByPlaceholderText<HTMLInputElement>('e-mail or username'),
  password: () => screen.getByLabelText<HTMLInputElement>('Password'),
  logIn: () => screen.getByRole<HTMLButtonElement>('button', { name: 'Log in' }),
  google: () => screen.getByRole<HTMLButtonElement>('button', { name: 'Sign in with Google' }),
  sso: () => screen.getByRole<HTMLButtonElement>('button', { name: 'Sign in with single sign-on' }),
  email: () => screen.getByPlaceholderText<HTMLInputElement>('your e-mail address'),
  send: () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }),
  newPassword: () => screen.getByLabelText<HTMLInputElement>('New password'),
  save: () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save password' }),
};

/** A promise that the caller resolves. */
export function pendingReply(): { reply: Promise<{ status: number }>; answer: (status: number) => void } {
  const { promise, resolve } = Promise.withResolvers<{ status: number }>();
  return { reply: promise, answer: (status) => resolve({ status }) };
}
