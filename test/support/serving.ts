import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredEvent } from '@charter/event-log';
import { type NewKeyRequest, newKey, scopes } from '@charter/identity';
import { type Charter, charterOver, openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { pino } from 'pino';
import { serve, type Serving } from '../../apps/api/src/process/serve';
import { type Answer, send, type Sent } from './requests/http';
import { postgres } from './stores/postgres';
import { secrets } from './secrets';

/** The whole service over real stores in a folder of its own, on a free port, with what specs need to look behind it. */
export type Served = Readonly<{
  url: string;
  folder: string;
  charter: Charter;
  runtime: Serving['runtime'];
  clock: Clock;
  /** What was logged, a line for each entry. */
  lines: readonly string[];
  /** The same, parsed. */
  entries: () => readonly Entry[];
  /** Makes a key and answers with what is shown once: every scope and every organization, unless it says less. */
  key: (wish?: Partial<NewKeyRequest>) => Promise<string>;
  /** One request, as whoever holds this key. */
  ask: (method: string, path: string, sent?: Sent) => Promise<Answer>;
  /** Stops the service; the folder stays, so that it can be served again. */
  stop: () => Promise<void>;
  /** Stops the service and removes the folder. */
  close: () => Promise<void>;
}>;

export type Entry = Readonly<Record<string, unknown>>;
export type Options = Readonly<{
  folder?: string;
  environment?: Readonly<Record<string, string>>;
  /** Puts something between the service and its real stores, such as a fault. */
  between?: (stores: Stores) => Stores;
  clock?: Clock;
  /** `beside` makes it a second process on the stores of another one. */
  role?: 'server' | 'beside';
}>;
export type Stores = Pick<Charter, 'catalogue' | 'log' | 'documents'>;

export async function serving(options: Options = {}): Promise<Served> {
  const { folder = newFolder(), environment = {}, between = asTheyAre, clock = clockFrom(), role = 'server' } = options;
  const stores = await tablesOf(folder);
  const settings = parseSettings({ PORT: '0', CHARTER_DATA: folder, CHARTER_DEMO: 'off', ...stores, ...environment });
  const charter = charterOver(settings, between(await openCharter(settings, role)));
  const lines: string[] = [];
  const logger = pino({ timestamp: pino.stdTimeFunctions.isoTime }, { write: (line) => void lines.push(line) });
  const service = await serve(charter, logger, clock.now);
  const url = service.url.replace('localhost', '127.0.0.1');
  const agent = new Agent({ keepAlive: true, maxSockets: 300 });

  const stop = once(async () => {
    opened.delete(stop);
    await service.stop();
    agent.destroy();
  });
  opened.add(stop);
  return {
    url,
    folder,
    charter,
    runtime: service.runtime,
    clock,
    lines,
    entries: () => lines.map((line) => JSON.parse(line) as Entry),
    key: (wish = {}) => keyIn(charter, wish, clock),
    ask: (method, path, sent = {}) => send(`${url}${path}`, method, sent, agent),
    stop,
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whatever a failing spec leaves open is stopped after it, so that Jest can end. */
const opened = new Set<() => Promise<void>>();
afterAll(() => Promise.all([...opened].map((stop) => stop())));

/** Does it the first time; asked again, it answers with that. */
const once = (act: () => Promise<void>): (() => Promise<void>) => {
  let acted: Promise<void> | undefined;
  return () => (acted ??= act());
};

/** With SPEC_DOCUMENTS=postgres the tables are in a PostgreSQL, for each folder in a schema of its own. */
async function tablesOf(folder: string): Promise<Readonly<Record<string, string>>> {
  if (process.env['SPEC_DOCUMENTS'] !== 'postgres') return {};
  const known = schemas.get(folder) ?? (await postgres()).fresh();
  schemas.set(folder, known);
  const SESSION_SECRET = `${secrets.SESSION_SECRET} in ${folder}`; // as every installation has its own
  return { ...secrets, SESSION_SECRET, DOCUMENTS: await known };
}
const schemas = new Map<string, Promise<string>>();

const asTheyAre = (stores: Stores) => stores;
export const newFolder = () => mkdtempSync(join(tmpdir(), 'charter-api-'));

/** A clock that runs, and can be put forward. */
export type Clock = Readonly<{ now: () => number; advance: (ms: number) => void }>;

export function clockFrom(): Clock {
  let ahead = 0;
  return { now: () => Date.now() + ahead, advance: (ms) => void (ahead += ms) };
}

/** Makes a key in stores that are open, and answers with what is shown once. */
export async function keyIn({ documents }: Charter, wish: Partial<NewKeyRequest>, clock: Clock): Promise<string> {
  const random = { bytes: randomBytes, uuid: randomUUID };
  const { key, record } = newKey({ name: 'a spec', scopes, ...wish }, random, clock.now());
  await documents.keys.insert(record);
  return key;
}

/** The id of a key, as it stands in events and in the log. */
export const keyId = async ({ charter }: Served, key: string): Promise<string> => {
  const record = await charter.documents.keys.find(key.slice(0, 'chk_'.length + 12));
  return record!.id;
};

/** Waits until something holds. @throws when it does not within the time */
export async function until(holds: () => unknown, within = 5_000): Promise<void> {
  const end = Date.now() + within;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`This does not hold after ${within} ms: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * How many events there are in all streams, those of accounts and keys among them, once what goes on after an answer is
 * written too: what a request that does nothing leaves as it was.
 */
export async function everyEventIn(served: Served): Promise<number> {
  await served.runtime.backgroundWork.settled();
  return (await eventsOf(served, '')).length;
}

/** How many events of organizations there are, whoever wrote them. What audit streams say beside them is not counted. */
export const eventsIn = async (served: Served): Promise<number> => (await eventsOf(served, 'organization-')).length;

/** The events of one stream, or of all streams whose names begin so, in order. */
export async function eventsOf({ charter }: Pick<Served, 'charter'>, stream: string): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of charter.log.readAll({ streamPrefixes: [stream] })) events.push(event);
  return events;
}

/** Once the read model has seen everything that is written; at once while it is paused. */
export async function settled({ charter, runtime: { projection } }: Served): Promise<void> {
  if (projection.now().phase === 'paused') return;
  await projection.whenProcessed(await charter.log.head(), { timeout: 20_000 });
}

/** The read model stands still from now on, until `resumed`. */
export async function paused({ charter, runtime }: Served): Promise<void> {
  await charter.view.pause();
  await until(() => runtime.projection.now().phase === 'paused');
}

export async function resumed({ charter, runtime }: Served): Promise<void> {
  await charter.view.resume();
  await until(() => runtime.projection.now().phase === 'running');
}
