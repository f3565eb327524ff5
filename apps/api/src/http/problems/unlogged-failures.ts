import type { RequestListener } from 'node:http';
import { clientAddressOf } from '../input/client-address';
import { requestIdOf } from '../request-id';
import type { Charter } from '@charter/application';
import type { Observability } from '../../process/parts/observability';

/** The requests whose failure some code has already logged with a reason. */
const logged = new WeakSet<object>();

/** Call this after logging the reason of a request's failure. */
export const markFailureLogged = (request: object): void => void logged.add(request);

/**
 * Logs an error for each answer with a status of 500 or more whose reason was not logged. The log thus contains a line
 * about every server error, with the request id of the answer.
 */
export function logUnexplainedFailures(
  listener: RequestListener,
  { logger, settings }: Pick<Charter, 'settings'> & Pick<Observability, 'logger'>,
): RequestListener {
  return (request, response) => {
    response.on('close', () => {
      const { statusCode: status, headersSent } = response;
      if (status < 500 || !headersSent || logged.has(request)) return;
      const [address, method] = [clientAddressOf(request, settings), request.method];
      logger.error(
        { request: requestIdOf(request), address, method, status },
        'a request failed without a logged reason',
      );
    });
    listener(request, response);
  };
}
