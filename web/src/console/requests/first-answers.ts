import { requestLog } from './request-log';

/**
 * The answers to the requests of `web/first-requests.js`, by URL. For a request without an answer, the promise resolves
 * with undefined.
 */
type FirstAnswers = Record<string, Promise<Response | undefined>>;
type Page = { firstAnswers?: FirstAnswers };

const USABLE_MS = 10_000;
const loadedAt = performance.now();

export type FirstAnswer = Readonly<{ status: number; data: unknown; headers: Readonly<Record<string, string>> }>;

/** Whether `web/first-requests.js` has requested the data of this page. If so, the page needs axios only later. */
export const hasFirstAnswers = (): boolean => (window as Page).firstAnswers !== undefined;

/**
 * The answer to a GET that `web/first-requests.js` sent before the console's scripts were loaded. The page can use this
 * answer before axios is loaded. Each answer is used at most once. Undefined without an answer, after a refusal, for a
 * body that is not JSON, and later than 10 seconds after the scripts were loaded, because the data can be out of date.
 * Without a usable first answer, the console sends the request itself.
 */
export async function firstAnswer(address: string): Promise<FirstAnswer | undefined> {
  const { firstAnswers } = window as Page;
  const answer = firstAnswers?.[address];
  if (!answer) return undefined;
  delete firstAnswers[address];
  const began = performance.now();
  if (began - loadedAt > USABLE_MS) return undefined;
  const response = await answer;
  if (!response?.ok) return undefined;
  const { status } = response;
  const headers = Object.fromEntries(response.headers);
  const data: unknown = await response.json().catch(() => undefined);
  if (data === undefined) return undefined;
  const milliseconds = Math.round(performance.now() - began);
  requestLog.add({ method: 'GET', address, fields: [], status, milliseconds, request: headers['request-id'] ?? '' });
  return { status, data, headers };
}
