import { spawnSync } from 'node:child_process';
import { type EventLog, EventStoreLog, eventStoreAddress } from '@charter/event-log';
import { type Facade, runningFacade } from './running';

/**
 * What the suites of EventStoreDB run against: the server named by `EVENTSTORE_URL`, one that a Docker engine starts
 * (`EVENTSTORE_IMAGE`), or the façade. Only the first two say anything about real servers, so every report names which.
 */
export type Kind = 'named' | 'container' | 'facade';

export const kind: Kind = process.env['EVENTSTORE_URL'] ? 'named' : hasEngine() ? 'container' : 'facade';

export const against: string = {
  named: 'EventStoreDB (the real server of EVENTSTORE_URL)',
  container: 'EventStoreDB (a real server in a container)',
  facade: 'EventStoreDB (the façade; real server: not run)',
}[kind];

export type Target = Readonly<{ url: string; facade: Facade | undefined; stop: () => Promise<void> }>;

export async function startedTarget(): Promise<Target> {
  if (kind === 'named')
    return { url: process.env['EVENTSTORE_URL']!, facade: undefined, stop: () => Promise.resolve() };
  if (kind === 'container') return inContainer();
  const facade = await runningFacade();
  return { url: facade.url, facade, stop: facade.remove };
}

/** The adapter on a target, as a service opens it. */
export const openedLog = (url: string, role: 'server' | 'beside' = 'server'): Promise<EventLog> =>
  EventStoreLog.open({ address: eventStoreAddress(url, { allowInsecure: true }), role });

function hasEngine(): boolean {
  return spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 5_000 }).status === 0;
}

async function inContainer(): Promise<Target> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const image = process.env['EVENTSTORE_IMAGE'] ?? 'eventstore/eventstore:lts';
  const settings = { INSECURE: 'true', CLUSTER_SIZE: '1' };
  const prefixes = ['EVENTSTORE', 'KURRENTDB']; // one of them is this image's, and the other is not looked at
  const environment = prefixes.flatMap((prefix) =>
    Object.entries(settings).map(([name, value]) => [`${prefix}_${name}`, value]),
  );
  const container = await new GenericContainer(image)
    .withExposedPorts(2113)
    .withEnvironment(Object.fromEntries(environment) as Record<string, string>)
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  const url = `esdb://${container.getHost()}:${container.getMappedPort(2113)}?tls=false`;
  return {
    url,
    facade: undefined,
    stop: async () => {
      await container.stop();
    },
  };
}
