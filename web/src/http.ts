import type { AxiosInstance, AxiosRequestConfig, AxiosStatic } from 'axios';
import { whenIdle } from './ui/when-idle';

/** Sets the defaults of all requests (`specification.md` 7): relative URLs, JSON, no timeout. */
export function configuredAxios(axios: AxiosStatic): AxiosInstance {
  const wire = axios.create({
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    timeout: 0,
    validateStatus: (status) => status >= 200 && status < 300,
    xsrfCookieName: 'XSRF-TOKEN',
    xsrfHeaderName: 'X-XSRF-TOKEN',
  });
  // If the service refuses the XSRF token, for example after a sign-in in another tab, its answer sets the cookie with
  // the current token. After the new cookie, the request is sent once more.
  wire.interceptors.response.use(undefined, (error: Refused) => {
    const { config, response } = error;
    if (response?.data?.type !== '/problems/xsrf' || config?.again) throw error;
    return wire.request({ ...config, again: true } as AxiosRequestConfig);
  });
  return wire;
}

type Refused = Error & { config?: AxiosRequestConfig & { again?: true }; response?: { data?: { type?: unknown } } };

let loaded: Promise<AxiosInstance> | undefined;

/**
 * Loads axios from a separate chunk, while the person reads and types. If the load has failed, the next call loads it
 * again.
 */
export const http = (): Promise<AxiosInstance> =>
  (loaded ??= import('axios').then(
    ({ default: axios }) => configuredAxios(axios),
    (error: unknown) => {
      loaded = undefined;
      throw error;
    },
  ));

export const fetchWhenIdle = (): void => {
  // if this fails, the submit loads axios again and reports the failure
  const fetch = () => void http().catch(() => undefined);
  whenIdle(fetch);
};
