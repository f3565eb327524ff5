import type { RequestListener } from 'node:http';
import type { Runtime } from '../../process/runtime';
import { clientAddressOf } from '../input/client-address';
import { requestIdOf } from '../authentication/authentication-guard';

/** Requests whose failure is in the log, with its reason. */
const told = new WeakSet<object>();

/** From whoever has logged why a request fails, or has told it already in another way. */
export const markFailureLogged = (request: object): void => void told.add(request);

/**
 * Behind this door nobody is told that we failed while the log says nothing: an answer of 500 and more that no one has given
 * a reason for is an error of its own, with the id that is in the answer.
 */
export function logUnexplainedFailures(
  listener: RequestListener,
  { logger, settings }: Pick<Runtime, 'logger' | 'settings'>,
): RequestListener {
  return (request, response) => {
    response.once('close', () => {
      const { statusCode: status, headersSent } = response;
      if (status < 500 || !headersSent || told.has(request)) return;
      const [address, method] = [clientAddressOf(request, settings), request.method];
      logger.error({ request: requestIdOf(request), address, method, status }, 'a request failed, and nobody said why');
    });
    listener(request, response);
  };
}
