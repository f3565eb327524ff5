import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Position, StoredEvent } from '@charter/event-log';
import { type NewKeyRequest, newKey, scopes } from '@charter/identity';
import { type Charter, charterOver, openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { pino } from 'pino';
import { logOptions } from '../../apps/api/src/process/observability/log-options';
import { serve, type Serving } from '../../apps/api/src/process/serve';
import { type PasswordHasher, passwordHasher } from '../../libs/application/src/accounts/passwords';
import { isNight } from './at-night';
import type { Answer, Sent } from './requests/http';
import { sendChecked } from './requests/checked-answers';
import { postgres } from './stores/postgres';
import { secrets } from './secrets';

/**
 * The whole service in this process, over real stores in a new folder, on a free port. Specs can also use its stores,
 * and read the lines that it logs.
 */
export type Served = Readonly<{
  url: string;
  folder: string;
  charter: Charter;
  runtime: Serving['runtime'];
  clock: Clock;
  /** The lines of the service's log. Each line is one entry. */
  lines: readonly string[];
  /** The entries of the service's log, parsed. */
  entries: () => readonly Entry[];
  /**
   * Makes an API key and returns its secret. By default the key has every scope and is valid for every organization.
   */
  key: (wanted?: Partial<NewKeyRequest>) => Promise<string>;
  /** Sends one request; `sent.key` authenticates it. */
  ask: (method: string, path: string, sent?: Sent) => Promise<Answer>;
  /** Checks the e-mail domains whose daily check is due. */
  checkDomains: () => Promise<void>;
  /** Stops the service. The folder stays, so that another service can open it. */
  stop: () => Promise<void>;
  /** Stops the service and removes the folder. */
  close: () => Promise<void>;
}>;

export type Entry = Readonly<Record<string, unknown>>;
export type Options = Readonly<{
  folder?: string;
  environment?: Readonly<Record<string, string>>;
  /** Wraps the real stores, for example to make them fail. */
  between?: (stores: Stores) => Stores;
  clock?: Clock;
  /** `beside` opens the stores as a second process does. */
  role?: 'server' | 'beside';
  /** Hashes passwords with the production cost. By default, only the nightly specs do so. */
  hasFullHashCost?: boolean;
}>;
export type Stores = Pick<Charter, 'catalogue' | 'log' | 'database'>;

export async function serving(options: Options = {}): Promise<Served> {
  const { folder = newFolder(), environment = {}, between = asTheyAre, clock = clockFrom(), role = 'server' } = options;
  const stores = await tablesOf(folder);
  const settings = parseSettings({ PORT: '0', CHARTER_DATA: folder, CHARTER_DEMO: 'off', ...stores, ...environment });
  const opened = charterOver(settings, between(await openCharter(settings, role)), role);
  const charter = options.hasFullHashCost || isNight ? opened : withHasher(opened, passwordHasher(cheapHash));
  const lines: string[] = [];
  const logger = pino(logOptions, { write: (line) => void lines.push(line) });
  const service = await serve(charter, logger, clock);
  const url = service.url.replace('localhost', '127.0.0.1');
  const agent = new Agent({ keepAlive: true, maxSockets: 300 });

  const stop = once(async () => {
    stopFunctions.delete(stop);
    await service.stop();
    agent.destroy();
  });
  stopFunctions.add(stop);
  return {
    url,
    folder,
    charter,
    runtime: service.runtime,
    clock,
    lines,
    entries: () => lines.map((line) => JSON.parse(line) as Entry),
    key: (request = {}) => keyIn(charter, request, clock),
    ask: (method, path, sent = {}) => sendChecked(`${url}${path}`, method, sent, agent, settings.productKey),
    checkDomains: service.checkDomains,
    stop,
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The stop functions of the services that are still open. The helper stops these services after the specs of the file,
 * so that Jest can end even if a spec fails. Then it removes the folders.
 */
const stopFunctions = new Set<() => Promise<void>>();
afterAll(async () => {
  await Promise.all([...stopFunctions].map((stop) => stop()));
  for (const folder of newFolders) rmSync(folder, { recursive: true, force: true });
});

/** Runs the function only at the first call. Later calls return the same promise. */
const once = (act: () => Promise<void>): (() => Promise<void>) => {
  let acted: Promise<void> | undefined;
  return () => (acted ??= act());
};

/** With SPEC_DOCUMENTS=postgres the tables are in PostgreSQL, in a separate schema for each folder. */
async function tablesOf(folder: string): Promise<Readonly<Record<string, string>>> {
  if (process.env['SPEC_DOCUMENTS'] !== 'postgres') return {};
  const known = schemas.get(folder) ?? (await postgres()).fresh();
  schemas.set(folder, known);
  // each folder stands for an installation with its own secret
  const SESSION_SECRET = `${secrets.SESSION_SECRET} in ${folder}`;
  return { ...secrets, SESSION_SECRET, DOCUMENTS: await known };
}
const schemas = new Map<string, Promise<string>>();

/** The smallest cost of argon2. With the production cost, hashes would take a third of the time of some specs. */
const cheapHash = { memoryCost: 8, timeCost: 1, parallelism: 1 };

const withHasher = (charter: Charter, passwords: PasswordHasher): Charter => ({
  ...charter,
  passwords,
  close: async () => {
    await passwords.close();
    await charter.close();
  },
});

const asTheyAre = (stores: Stores) => stores;

/** Makes a folder, which exists until the specs of the file have ended. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'charter-api-'));
  newFolders.add(folder);
  return folder;
}
const newFolders = new Set<string>();

/**
 * A running clock that a spec can advance. With negative `ms`, the spec sets only `now` back, as an operator sets back
 * the clock of a machine.
 */
export type Clock = Readonly<{ now: () => number; elapsed: () => number; advance: (ms: number) => void }>;

/** Advances the clock to the next midnight in UTC: on a new date, the first use of an API key appends an event. */
export const advanceToMidnight = ({ now, advance }: Clock): void => advance(DAY_MS - (now() % DAY_MS));
const DAY_MS = 86_400_000;

export function clockFrom(): Clock {
  let [ahead, passed] = [0, 0];
  return {
    now: () => Date.now() + ahead,
    elapsed: () => performance.now() + passed,
    advance: (ms) => {
      ahead += ms;
      passed += Math.max(0, ms);
    },
  };
}

/** Makes an API key in open stores and returns its secret. */
export async function keyIn({ database }: Charter, request: Partial<NewKeyRequest>, clock: Clock): Promise<string> {
  const random = { bytes: randomBytes, uuid: randomUUID };
  const { key, record } = newKey({ name: 'a spec', scopes, ...request }, random, clock.now());
  await database.keys.insert(record);
  return key;
}

/** The id of an API key, which events and log entries contain. */
export const keyId = async ({ charter }: Pick<Served, 'charter'>, key: string): Promise<string> => {
  const record = await charter.database.keys.find(key.slice(0, 'chk_'.length + 12));
  return record!.id;
};

/**
 * Waits until the condition is true. Checks it at intervals of `every` milliseconds.
 * @throws if the condition is still false after `within` milliseconds
 */
export async function until(holds: () => unknown, within = 5_000, every = 10): Promise<void> {
  const end = Date.now() + within;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`This does not hold after ${within} ms: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}

/**
 * The number of events in all streams, including the streams of accounts and API keys. First waits for background work,
 * because a request may write after its answer.
 */
export async function everyEventIn(served: Served): Promise<number> {
  await served.runtime.backgroundWork.settled();
  return countOf(served, '');
}

/** The number of events in the streams of organizations, without the streams of accounts and API keys. */
export const eventsIn = (served: Served): Promise<number> => countOf(served, 'organization-');

/**
 * Counts the events of streams whose names begin with this text. Reads only the events that are new since the last
 * count, because some specs count after each of some hundred requests.
 */
async function countOf({ charter }: Pick<Served, 'charter'>, stream: string): Promise<number> {
  const counts = counted.get(charter) ?? new Map<string, Counted>();
  counted.set(charter, counts);
  const before = counts.get(stream);
  let { count, last } = before ?? { count: 0, last: undefined };
  for await (const { position } of charter.log.readAll({ streamPrefixes: [stream], from: last ?? 'start' })) {
    if (position === before?.last) continue; // skips this event, because the read begins with the last counted event
    count += 1;
    last = position;
  }
  counts.set(stream, { count, last });
  return count;
}
type Counted = Readonly<{ count: number; last: Position | undefined }>;
const counted = new WeakMap<Charter, Map<string, Counted>>();

/** The events of all streams whose names begin with this text, in the order of the log. */
export async function eventsOf({ charter }: Pick<Served, 'charter'>, stream: string): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of charter.log.readAll({ streamPrefixes: [stream] })) events.push(event);
  return events;
}

/** Waits until the read model has processed every event of the log. Returns at once if the projection is paused. */
export async function settled({ charter, runtime: { projection } }: Served): Promise<void> {
  if (projection.now().phase === 'paused') return;
  await projection.whenProcessed(await charter.log.head(), { timeout: 20_000 });
}

/** Pauses the projection until `resumed` is called. */
export async function paused({ charter, runtime }: Served): Promise<void> {
  await charter.view.pause();
  await until(() => runtime.projection.now().phase === 'paused');
}

export async function resumed({ charter, runtime }: Served): Promise<void> {
  await charter.view.resume();
  await until(() => runtime.projection.now().phase === 'running');
}
