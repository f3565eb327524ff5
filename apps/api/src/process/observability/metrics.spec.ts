import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import perfHooks from 'node:perf_hooks';
import { metricsListener } from '../listeners';
import { createMetrics, type Gauges } from './metrics';
import type { Observability } from '../parts/observability';

const gauges: Gauges = {
  lagSeconds: () => 42,
  lagEvents: () => 7,
  parked: () => 0,
  phase: () => 'running',
  walBytes: () => 0,
  mailsWaiting: () => Promise.reject(new Error('The tables do not answer.')),
  deferredWaiting: () => Promise.reject(new Error('The tables do not answer.')),
  readersLagSeconds: () => Promise.reject(new Error('The tables do not answer.')),
  logDropped: () => 0,
  listeners: () => 0,
  snapshotsRefused: () => 0,
};

const settings = { host: '127.0.0.1', publicUrl: 'https://charter.example.com' };
const warned: unknown[] = [];
const scraped = async (counts: Observability['counts']) => {
  const logger = { warn: (entry: unknown) => void warned.push(entry) } as unknown as Observability['logger'];
  const server = createServer(metricsListener({ counts, logger }, settings));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.closeAllConnections();
  server.close();
  return { status: answer.status, text: await answer.text(), headers: Object.fromEntries(answer.headers) };
};

describe('The answer with the metrics', () => {
  it('contains NaN for a value whose store fails, and still contains the other values', async () => {
    const { status, text } = await scraped(createMetrics(gauges));
    expect(status).toBe(200);
    expect(text).toMatch(/^charter_projection_lag_seconds 42$/m);
    expect(text).toMatch(/^charter_mails_waiting Nan$/im);
  });

  it('gets the status 503 and is logged if the process cannot collect the metrics', async () => {
    const counts = createMetrics(gauges);
    counts.registry.metrics = () => Promise.reject(new Error('broken'));
    const { status, headers } = await scraped(counts);
    expect([status, headers]).toEqual([503, expect.objectContaining({ 'x-content-type-options': 'nosniff' })]);
    expect(warned).toEqual([{ why: 'Error: broken' }]);
  });
});

it('The metrics sample the event loop ten times a second, so that they rarely wake an idle process', () => {
  const monitor = jest.spyOn(perfHooks, 'monitorEventLoopDelay');
  createMetrics(gauges);
  expect(monitor.mock.calls).toEqual([[{ resolution: 100 }]]);
  monitor.mockRestore();
});
