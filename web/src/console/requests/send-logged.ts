import type { AxiosError, AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios';
import { requestLog } from './request-log';

/** Sends a request and logs it, unless the page has cancelled it. @throws AxiosError without a 2xx answer */
export async function sendLogged(wire: AxiosInstance, request: AxiosRequestConfig): Promise<AxiosResponse<unknown>> {
  const began = performance.now();
  const log = (answer: AxiosResponse | undefined) =>
    requestLog.add({
      method: request.method ?? 'GET',
      address: wire.getUri(request),
      fields: Object.keys((request.data as object | undefined) ?? {}),
      status: answer?.status ?? 0,
      milliseconds: Math.round(performance.now() - began),
      request: String(answer?.headers['request-id'] ?? ''),
    });
  try {
    const answer = await wire.request<unknown>(request);
    log(answer);
    return answer;
  } catch (error) {
    if (request.signal?.aborted !== true) log((error as AxiosError).response);
    throw error;
  }
}
