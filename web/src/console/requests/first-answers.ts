import type { AxiosAdapter } from 'axios';

/**
 * The answers to the requests of `web/first-requests.js`, by URL. For a request without an answer, the promise resolves
 * with undefined.
 */
type FirstAnswers = Record<string, Promise<Response | undefined>>;

/**
 * The answer to a request that `web/first-requests.js` sent before the console's scripts were loaded. The result is an
 * axios adapter, which returns this answer instead of sending a new request. Each answer is used at most once.
 * Undefined without an answer, and after a refusal; then the console sends the request itself and handles a refusal as
 * usual.
 */
export async function firstAnswer(address: string): Promise<AxiosAdapter | undefined> {
  const { firstAnswers } = window as { firstAnswers?: FirstAnswers };
  const answer = firstAnswers?.[address];
  if (!answer) return undefined;
  delete firstAnswers[address];
  const response = await answer;
  if (!response?.ok) return undefined;
  const [data, headers] = [await response.text(), Object.fromEntries(response.headers)];
  return (config) => Promise.resolve({ data, status: response.status, statusText: '', headers, config });
}
