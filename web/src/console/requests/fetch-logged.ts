import { type SentFetch, sendFetch } from '../../proof/sent-fetch';
import { requestLog } from './request-log';

/** Logs a request that `fetch` has sent. */
export const logFetch = (sent: SentFetch): void => requestLog.add({ method: 'GET', fields: [], ...sent });

/**
 * Sends a GET with `fetch`, and logs the request, unless the page has cancelled the request. @throws if there is no
 * answer
 */
export const fetchLogged = (address: string, init: RequestInit = {}): Promise<Response> =>
  sendFetch(address, init, logFetch);
