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
import type { Facts } from '../page-config';
import { noFacts } from '../page-config.testing';
import { configured } from '../http';
import { choose, isLanguage, speak } from '../languages';
import { LinkPages } from './links/LinkPages';
import { SignIn } from './SignIn';
import { storeFor } from './store';
import { type World, WorldContext } from './browser-ports';

/** What the service answers; `held` never does, until it is let go. */
export type Reply =
  | Readonly<{ status: number; data?: object; headers?: Record<string, string> }>
  | 'no network'
  | 'canceled'
  | Promise<Readonly<{ status: number }>>;

/** Several: one after the other, and the last one from then on. */
type Replies = Reply | readonly Reply[];
type Visit = Readonly<{ reply?: Replies; facts?: Partial<Facts>; linkToken?: string; wasSignedOut?: boolean }>;

export const catalogues = {
  en: () => Promise.resolve({ messages: { ...signInEn, ...linksEn } }),
  fi: () => Promise.resolve({ messages: { ...signInFi, ...linksFi } }),
};

/** The real pages with the real store and the real axios; only the wire and the address bar are the spec's. */
export async function visit(path: string, wish: Visit = {}) {
  const { reply = { status: 204 }, facts = {}, linkToken = '', wasSignedOut = false } = wish;
  window.history.replaceState(null, '', path);
  const sent: [string, unknown][] = [];
  const went: string[] = [];
  const wire = configured(axios);
  wire.defaults.adapter = async (config) => {
    sent.push([config.url ?? '', JSON.parse(config.data as string)]);
    const replies = Array.isArray(reply) ? (reply as readonly Reply[]) : [reply as Reply];
    return answered(config, await (replies[sent.length - 1] ?? replies.at(-1)!));
  };
  const i18n = await speak(catalogues, 'en');
  const world: World = {
    facts: { ...noFacts, ...facts },
    post: (to, body) => wire.post(to, body),
    go: (address) => void went.push(address),
    prefetch: () => undefined,
    linkToken,
    wasSignedOut,
    speak: async (language) => {
      if (!isLanguage(language)) return;
      await speak(catalogues, language, i18n);
      choose(document, language);
    },
    carried: { email: '' },
  };
  const seen: unknown[] = [];
  const store = storeFor(world, (action) => seen.push(action));
  const page = (
    <I18nProvider i18n={i18n}>
      <Provider store={store}>
        <WorldContext value={world}>
          <BrowserRouter>
            <SignIn linkPages={LinkPages} />
          </BrowserRouter>
        </WorldContext>
      </Provider>
    </I18nProvider>
  );
  const { container, unmount } = render(page);
  return { user: userEvent.setup(), sent, went, store, seen, world, container, unmount, page };
}

function answered(config: InternalAxiosRequestConfig, reply: Awaited<Reply>) {
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
  email: () => screen.getByPlaceholderText<HTMLInputElement>('your e-mail address'),
  send: () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }),
  newPassword: () => screen.getByLabelText<HTMLInputElement>('New password'),
  save: () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save password' }),
};

/** A promise that is let go from outside. */
export function held(): { reply: Promise<{ status: number }>; answer: (status: number) => void } {
  const { promise, resolve } = Promise.withResolvers<{ status: number }>();
  return { reply: promise, answer: (status) => resolve({ status }) };
}
