import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiledEventLog } from '../crash/compiled';
import { freePort } from '../support/network/free-port.mjs';

/** The façade in a separate process, with its log in a separate folder. */
export type Facade = Readonly<{
  /** The value for `EVENT_LOG`; the same after every start. */
  url: string;
  port: number;
  /** The folder of its log. */
  data: () => string;
  /** Calls a function of the façade, mostly to order a fault: see `faults.mjs`, `grpc-listener.mjs` and `main.mjs`. */
  order: (order: string, ...given: readonly unknown[]) => Promise<unknown>;
  freeze: () => void;
  thaw: () => void;
  /** Kills the process, which flushes nothing, as in a crash. */
  kill: () => Promise<void>;
  /** Starts the façade again, at the same port and over the same log. */
  restart: () => Promise<void>;
  /** Starts the façade again, at the same port and over an empty log. */
  exchange: () => Promise<void>;
  /** Stops the façade and removes its log. */
  remove: () => Promise<void>;
}>;

export type FacadeOptions = Readonly<{
  /** Uses TLS with these files. */
  tls?: Readonly<{ key: string; certificate: string }>;
  /** `name:password` of the only user. */
  user?: string;
  /** A running façade. The new façade serves the same log, as another member of one cluster. */
  over?: Facade;
  /** The release of EventStoreDB whose answers the façade gives; 23.10.8 by default. */
  release?: string;
}>;

export async function runningFacade(options: FacadeOptions = {}): Promise<Facade> {
  const { tls, user, over, release } = options;
  const library = (compiled ??= compiledEventLog());
  let data = over?.data() ?? newFolder();
  const more = [
    ...(tls ? ['--key', tls.key, '--certificate', tls.certificate] : []),
    ...(user === undefined ? [] : ['--user', user]),
    ...(over ? ['--role', 'beside'] : []),
    ...(release === undefined ? [] : ['--release', release]),
  ];
  let { child, url } = await begun(library, data, String(await freePort()), more);
  const port = Number(new URL(url).port);
  let orders = 0;

  const order: Facade['order'] = async (name, ...given) => {
    const id = ++orders;
    const answered = new Promise<unknown>((resolve) => {
      const hear = (message: { id?: number; answer?: unknown }) => {
        if (message.id !== id) return;
        child.off('message', hear);
        resolve(message.answer);
      };
      child.on('message', hear);
    });
    child.send({ id, order: name, given });
    return answered;
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const facade: Facade = {
    url,
    port,
    data: () => data,
    order,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill,
    restart: async () => {
      await kill();
      ({ child, url } = await begun(library, data, String(port), more));
    },
    exchange: async () => {
      await kill();
      rmSync(data, { recursive: true, force: true });
      data = newFolder();
      await facade.restart();
    },
    remove: async () => {
      await kill();
      if (!over) rmSync(data, { recursive: true, force: true });
    },
  };
  facades.add(facade);
  return facade;
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'charter-facade-'));
let compiled: string | undefined;
const facades = new Set<Facade>();
afterAll(async () => {
  await Promise.all([...facades].map(({ remove }) => remove()));
  if (compiled !== undefined) rmSync(compiled, { recursive: true, force: true });
  compiled = undefined;
});

async function begun(
  library: string,
  data: string,
  port: string,
  more: readonly string[],
): Promise<{ child: ChildProcess; url: string }> {
  const main = join(__dirname, 'main.mjs');
  const child = fork(main, ['--library', library, '--data', data, '--port', port, ...more], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
  });
  const ready: { url: string } = await Promise.race([
    once(child, 'message').then(([message]) => message as { url: string }),
    once(child, 'exit').then(([code]) => {
      throw new Error(`The façade ended with ${String(code)}.`);
    }),
  ]);
  return { child, url: ready.url };
}
