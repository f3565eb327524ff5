import type { BaseQueryFn } from '@reduxjs/toolkit/query/react';
import type { AxiosError, AxiosRequestConfig, AxiosResponse } from 'axios';
import { http } from '../../http';
import { isOnline } from '../frame/network';
import { isPastMoment } from '../moment/page-moment';
import { type CallFailure, callFailureOf, offline } from '../problem';
import { redirectToLogin } from '../sign-out-redirect';
import { createEntityTags, type Kept } from './entity-tags';
import { type FirstAnswer, firstAnswer } from './first-answers';
import { createPlaces } from './places';
import { sendLogged } from './send-logged';

/**
 * Calls the public HTTP interface; the console uses no other interface. A repeated GET sends the entity tag of the
 * cached answer. After 304, the page keeps the cached answer. After a 401, the browser opens the log-in page. While the
 * browser is offline, only a GET is sent.
 */
export const callService: BaseQueryFn<Call, unknown, CallFailure, object, AnswerMeta> = async (
  { url, method = 'GET', params = {}, ask, headers: own = {}, readsHistory = isPastMoment(params) },
  { signal },
) => {
  if (method !== 'GET' && !isOnline()) return { error: offline };
  const first = method === 'GET' && Object.keys(params).length === 0 ? await firstAnswer(url) : undefined;
  if (first) return received(url, method, first);
  const request: AxiosRequestConfig = { url, method, params, signal, headers: { ...own }, validateStatus: isAnswer };
  if (ask) request.data = ask();
  try {
    const wire = await http();
    const address = method === 'GET' ? wire.getUri(request) : '';
    const kept = entityTags.keptOf(address);
    if (kept) request.headers = { ...own, 'If-None-Match': kept.tag };
    const isChange = 'If-Match' in own;
    const isRead = method === 'GET' || url.endsWith('/search');
    const organization = !isRead || isPastMoment(params) ? undefined : routesWithAtLeast.exec(url)?.[1];
    if (organization === lastChange.organization && Date.now() < lastChange.until)
      request.params = { ...params, atLeast: lastChange.revision };
    const send = () =>
      sendLogged(wire, request).catch((error: unknown) => {
        if (request.params === params || callFailureOf(error as AxiosError).reason !== 'not-yet') throw error;
        lastChange.until = 0; // the read model lags longer than the service waits
        return sendLogged(wire, { ...request, params });
      });
    const answer = received(address, method, await (readsHistory ? historyReads(signal, send) : send()), kept);
    const { revision } = (answer.data ?? {}) as Readonly<{ revision?: number }>;
    if (isChange && revision) lastChange = { organization: url.split('/')[4]!, revision, until: Date.now() + LAG_MS };
    return answer;
  } catch (error) {
    const trouble = callFailureOf(error as AxiosError);
    // 401 means that the session has ended; a wrong password gets 403
    if (trouble.status === 401) redirectToLogin(window);
    return { error: trouble };
  }
};

type Call = Readonly<{
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  params?: Readonly<Record<string, string>>;
  /**
   * Returns the body of the request only when the request is sent, so that neither a Redux action nor the Redux store
   * contains the body.
   */
  ask?: () => object;
  headers?: Readonly<Record<string, string>>;
  /** Whether the service reads a history for this request. A request with a past moment always reads a history. */
  readsHistory?: boolean;
}>;

/** How far the lists of the service are behind its event log, as the header `Charter-Lag` says. */
export type AnswerMeta = Readonly<{ lagSeconds: number }>;

type Answer = Pick<FirstAnswer, 'status' | 'data'> & Pick<AxiosResponse, 'headers'>;

/** The number of slots that the service gives one caller for reads of long histories (`docs/reference/history.md`). */
const HISTORY_READS_MAX = 2;
const historyReads = createPlaces(HISTORY_READS_MAX);

/**
 * The last change that this page has made. Another process of the service can still lack the change, so the page
 * requests the new revision with `atLeast` until some seconds after the change.
 */
let lastChange = { organization: '', revision: 0, until: 0 };
/** Milliseconds; the read model usually lags less. */
const LAG_MS = 5_000;
/** The routes that accept `atLeast`. Other routes refuse this parameter. */
const routesWithAtLeast =
  /organizations[/]([^/]+)([/](entitlements|members([/]search)?|sites([/][^/]+)?|notification-recipients|single-sign-on))?$/;

const NOT_MODIFIED = 304;
const entityTags = createEntityTags();
const isAnswer = (status: number) => (status >= 200 && status < 300) || status === NOT_MODIFIED;

/**
 * Reads a successful answer. Keeps the answer to a GET with its entity tag.
 * @param kept the answer whose tag the request sent; after a 304, the function returns this answer
 */
function received(address: string, method: string, { status, data, headers }: Answer, kept?: Kept) {
  const isKept = status === NOT_MODIFIED;
  const known = isKept ? kept?.data : data === '' ? null : data;
  if (method === 'GET') entityTags.keep(address, isKept ? kept?.tag : headers['etag'], known);
  return { data: known, meta: { lagSeconds: Number(headers['charter-lag'] ?? 0) } };
}
