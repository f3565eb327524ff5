import type { AxiosAdapter } from 'axios';

/** The answers to the requests of `web/first-requests.js`, by address. A request without an answer gives undefined. */
type FirstAnswers = Record<string, Promise<Response | undefined>>;

/**
 * Takes the answer to a request that the document sent before the console's scripts were loaded. The answer is an
 * adapter for axios, in place of a new request. Each answer is taken at most once. Returns undefined without an answer,
 * and after a refusal, so that the console sends the request itself and handles the refusal as any other.
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
