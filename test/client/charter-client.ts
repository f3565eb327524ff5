import { type CharterClient, type CharterOptions, createCharter, type Intervals } from '@charter/client';
import { done, founded } from '../support/requests/organizations';
import type { Served } from '../support/serving';

/** Short durations, so that a spec sees in a second the states that otherwise take minutes. */
const shortIntervals: Intervals = {
  deadAfter: 20_000,
  answer: 10_000,
  poll: 100,
  reconnect: [40, 200],
  refused: 300,
};

const clients = new Set<CharterClient>();
afterEach(() => {
  for (const client of clients) client.close();
  clients.clear();
});

/** A client with short durations, which ends after the test. */
export function clientOf(options: CharterOptions): CharterClient {
  const client = createCharter({ ...options, intervals: { ...shortIntervals, ...options.intervals } });
  clients.add(client);
  return client;
}

/** Founds an organization with the plan Solo of the second product line, and returns its id. */
export async function organizationOnSolo(served: Pick<Served, 'ask' | 'key'>, by: string): Promise<string> {
  const id = await founded(served, { by });
  await done(served, by, id, ['PUT', '/plan', { line: 'second', plan: 'solo' }]);
  return id;
}
