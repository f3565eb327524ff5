import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkoutStandIn } from '../checkout/checkout-stand-in';

/**
 * A stand-in for the part of Stripe's API that Charter uses: it returns current subscriptions, and starts checkouts.
 * While `away` is set, it closes each connection; while `silent` is set, it never answers. While `lossy` is set, the
 * stand-in does the work of each request, and then closes the connection.
 */
export async function stripeStandIn() {
  const subscriptions = new Map<string, object>();
  const requests: string[] = [];
  let isAway = false;
  let isSilent = false;
  let isLossy = false;
  let origin = '';
  const checkouts = checkoutStandIn(() => origin);

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { url = '', headers } = request;
    requests.push(`${url} ${headers.authorization}`);
    if (isSilent) return;
    if (isAway) return void response.destroy();
    const checkout = await checkouts.answer(request);
    if (isLossy) return void response.destroy();
    const to = new URL(url, origin).searchParams.get('to');
    if (to !== null) return void response.writeHead(303, { Location: to }).end();
    if (typeof checkout?.body === 'string')
      return void response.writeHead(200, { 'Content-Type': 'text/html' }).end(checkout.body);
    const found = subscriptions.get(/^\/v1\/subscriptions\/([^/?]+)/.exec(url)?.[1] ?? '');
    const missing = {
      error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such subscription' },
    };
    const { status, body } = checkout ?? (found ? { status: 200, body: found } : { status: 404, body: missing });
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: { STRIPE_SECRET_KEY: 'sk_live_of_these_specs', STRIPE_API_URL: origin },
    origin,
    subscriptions,
    checkouts,
    requests,
    away: (is: boolean) => void (isAway = is),
    silent: (is: boolean) => void (isSilent = is),
    lossy: (is: boolean) => void (isLossy = is),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type StripeStandIn = Awaited<ReturnType<typeof stripeStandIn>>;
