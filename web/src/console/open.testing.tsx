import { I18nProvider } from '@lingui/react';
import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AxiosError } from 'axios';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { BrowserRouter } from 'react-router-dom';
import { answering } from '../../../test/journeys/pages/samples';
import { messages } from '../../locales/console/en.po';
import type { PageConfig } from '../page-config';
import { emptyPageConfig } from '../page-config.testing';
import { http } from '../http';
import { loadLanguage } from '../languages';
import { type ConsoleConfig, ConsoleConfigContext } from './page-config-context';
import { Live } from './live/Live';
import { loadWords, wordGroups } from './organization/later-words';
import { newStore } from './store';

/** A request that the console has sent. The spec answers at once, or with a promise that the spec resolves later. */
export type SentRequest = Readonly<{
  method: string;
  url: string;
  params: Readonly<Record<string, string>>;
  body: unknown;
  /** The header `If-None-Match`: the entity tag of the answer that the console has cached. */
  ifNoneMatch?: string;
  /** The header `Idempotency-Key`. */
  key?: string;
  /** The header `If-Match`: the revision that the person saw. */
  ifMatch?: string;
}>;
export type ConsoleReply = Readonly<{ status: number; data?: object; headers?: Record<string, string> }>;

/** Answers the requests of a person with the sample answers. */
export const answeringAs =
  (person: object) =>
  ({ method, url, params, body: asked }: SentRequest): ConsoleReply => {
    const path = `${url}?${new URLSearchParams(params).toString()}`;
    const usual = answering(person)({ method, path, body: asked, xsrf: '' });
    const { status, body } = usual as Readonly<{ status: number; body?: object }>;
    return { status, ...(body && { data: body }) };
  };

/** Renders a part of the console with the real store and the real axios; the spec replaces the network. */
export async function renderConsole(
  what: ReactNode,
  {
    answer = () => ({ status: 404 }),
    path = '/',
    speak = () => Promise.resolve(true),
  }: {
    speak?: ConsoleConfig['speak'];
    answer?: (request: SentRequest) => ConsoleReply | Promise<ConsoleReply>;
    path?: string;
  } = {},
) {
  const sent: SentRequest[] = [];
  const wire = await http();
  wire.defaults.adapter = async (config) => {
    const { method = 'get', url = '', params = {} } = config;
    const body = typeof config.data === 'string' ? (JSON.parse(config.data) as unknown) : undefined;
    const header = (name: string, value: unknown) => (typeof value === 'string' ? { [name]: value } : {});
    const one = {
      ...{ method: method.toUpperCase(), url, params: params as Record<string, string>, body },
      ...header('ifNoneMatch', config.headers.get('If-None-Match')),
      ...header('key', config.headers.get('Idempotency-Key')),
      ...header('ifMatch', config.headers.get('If-Match')),
    };
    sent.push(one);
    const response = { data: '', statusText: '', headers: {}, config, ...(await answer(one)) };
    if (config.validateStatus?.(response.status)) return response;
    throw new AxiosError(`status ${response.status}`, AxiosError.ERR_BAD_RESPONSE, config, undefined, response);
  };
  const i18n = await loadLanguage(catalogues, 'en');
  await Promise.all(wordGroups.map((group) => loadWords(i18n, group).promise));
  const show = () =>
    render(
      <I18nProvider i18n={i18n}>
        <Provider store={newStore()}>
          <ConsoleConfigContext value={{ facts, i18n, speak }}>
            <BrowserRouter>
              <Live>{what}</Live>
            </BrowserRouter>
          </ConsoleConfigContext>
        </Provider>
      </I18nProvider>,
    );
  window.history.replaceState(null, '', path);
  const page = await act(async () => show());
  return { ...page, user: userEvent.setup(), sent };
}

const catalogues = { en: () => Promise.resolve({ messages }), fi: () => Promise.resolve({ messages }) };

const facts: PageConfig = {
  ...emptyPageConfig,
  ...{ account: 'p', accountName: 'Ada Jansen', checkpointEvery: '3600' },
};

/** Matches the innermost element with a text. A part of the text may be a moment, which is a separate element. */
export const saying =
  (text: string) =>
  (_: string, element: Element | null): boolean =>
    element?.textContent === text && ![...element.children].some((child) => child.textContent === text);

/** Waits for two frames. The store reports a new request at the next frame, and React then renders the page. */
export async function nextFrames(): Promise<void> {
  for (let frame = 0; frame < 2; frame += 1)
    await act(() => new Promise<void>((drawn) => requestAnimationFrame(() => drawn())));
}
