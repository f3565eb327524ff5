import type { IncomingMessage } from 'node:http';
import { isLoopback, type Settings } from '@charter/settings';
import { clientAddressOf } from './client-address';

/** Whether the request comes from this machine, and no proxy has forwarded it from another machine. */
export const isLocalRequest = (request: IncomingMessage, settings: Pick<Settings, 'trustProxy'>): boolean =>
  isLoopback(clientAddressOf(request, settings)) && hasLoopbackHost(request) && !isForwarded(request);

/**
 * Whether the `Host` header contains a loopback host name or address. A page of another site can make its own host name
 * resolve to loopback, but the browser then sends that host name in the header.
 */
export const hasLoopbackHost = ({ headers: { host = '' } }: IncomingMessage): boolean =>
  isLoopback(URL.parse(`http://${host}`)?.hostname ?? '');

const isForwarded = ({ headers }: IncomingMessage) =>
  ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'].some((name) => headers[name] !== undefined);
