import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A stand-in for the part of Stripe's API that Charter uses: it returns current subscriptions, or, while `away` is set,
 * does not answer.
 */
export async function stripeStandIn() {
  const subscriptions = new Map<string, object>();
  const requests: string[] = [];
  let isAway = false;
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    requests.push(`${url} ${headers.authorization}`);
    if (isAway) return void response.destroy();
    const found = subscriptions.get(/^\/v1\/subscriptions\/([^/?]+)/.exec(url)?.[1] ?? '');
    const missing = {
      error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such subscription' },
    };
    response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(found ?? missing));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    environment: {
      STRIPE_SECRET_KEY: 'sk_live_of_these_specs',
      STRIPE_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    subscriptions,
    requests,
    away: (is: boolean) => void (isAway = is),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
