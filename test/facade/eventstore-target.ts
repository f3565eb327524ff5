import { spawnSync } from 'node:child_process';
import { type EventLog, EventStoreLog, eventStoreAddress } from '@charter/event-log';
import { type Facade, runningFacade } from './running';

/**
 * The target of the EventStoreDB suites: the server of `EVENTSTORE_URL`, a container (`EVENTSTORE_IMAGE`), or the
 * façade. The façade proves nothing about real servers, so every report names the kind of the target.
 */
export type Kind = 'named' | 'container' | 'facade';

export const kindFrom = (environment: NodeJS.ProcessEnv, hasEngine: () => boolean): Kind =>
  environment['EVENTSTORE_URL'] ? 'named' : hasEngine() ? 'container' : 'facade';

export const kind: Kind = kindFrom(process.env, engineAnswers);

export const against: string = {
  named: 'EventStoreDB (the real server of EVENTSTORE_URL)',
  container: 'EventStoreDB (a real server in a container)',
  facade: 'EventStoreDB (the façade; real server: not run)',
}[kind];

export type Target = Readonly<{ url: string; facade: Facade | undefined; stop: () => Promise<void> }>;

/** Starts the target, and prints its kind as a line of the report. */
export async function startedTarget(): Promise<Target> {
  process.stdout.write(`${against}\n`);
  if (kind === 'named')
    return { url: process.env['EVENTSTORE_URL']!, facade: undefined, stop: () => Promise.resolve() };
  if (kind === 'container') return inContainer();
  const facade = await runningFacade();
  return { url: facade.url, facade, stop: facade.remove };
}

/** Opens the event log of a target. The address of the target may be insecure (without TLS). */
export const openedLog = (url: string, role: 'server' | 'beside' = 'server'): Promise<EventLog> =>
  EventStoreLog.open({ address: eventStoreAddress(url, { allowInsecure: true }), role });

function engineAnswers(): boolean {
  return spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 5_000 }).status === 0;
}

/**
 * The container of a server with one node, without TLS and users. The settings of the container work for EventStoreDB
 * and for KurrentDB.
 */
export function containerFrom(environment: NodeJS.ProcessEnv) {
  const settings = { INSECURE: 'true', CLUSTER_SIZE: '1' };
  const prefixes = ['EVENTSTORE', 'KURRENTDB']; // an image reads one of these prefixes and ignores the other
  const variables = prefixes.flatMap((prefix) =>
    Object.entries(settings).map(([name, value]) => [`${prefix}_${name}`, value] as const),
  );
  return {
    image: environment['EVENTSTORE_IMAGE'] ?? 'eventstore/eventstore:lts',
    port: 2113,
    environment: Object.fromEntries(variables),
    urlAt: (host: string, port: number) => `esdb://${host}:${port}?tls=false`,
  };
}

async function inContainer(): Promise<Target> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const { image, port, environment, urlAt } = containerFrom(process.env);
  const container = await new GenericContainer(image)
    .withExposedPorts(port)
    .withEnvironment(environment)
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  return {
    url: urlAt(container.getHost(), container.getMappedPort(port)),
    facade: undefined,
    stop: async () => {
      await container.stop();
    },
  };
}
