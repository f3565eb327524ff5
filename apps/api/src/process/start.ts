import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { CatalogueRefused } from '@charter/catalogue';
import { DatabaseUnavailable } from '@charter/database';
import { isLogError, StoreRefused } from '@charter/event-log';
import { type Charter, openCharter, SERVED_AT } from '@charter/application';
import { publicDocumentFields } from '@charter/organization-view';
import { readSettings, type Settings, SettingsRefused } from '@charter/settings';
import { pino } from 'pino';
import { demoKey, type DemoOrganization, demoPeople, demoText, prepareDemo } from '../demo/demo';
import { demoSignIns } from '../demo/demo-people';
import { logOptions } from './observability/log-options';
import { standardOutput } from './observability/log-sink';
import { systemClock } from './parts/clock';
import { serve } from './serve';
import { shownCommand } from './shown-command';
import { stopOnSignals } from './signals';
import { handleUncaughtErrors } from './observability/uncaught-errors';

/**
 * Starts Charter: reads settings, opens stores, prepares the demo, and listens. If the start fails, prints one sentence
 * for the operator.
 * @param said settings from the command line, which override the settings from all other sources
 */
export async function start(said: Readonly<Record<string, string>> = {}): Promise<void> {
  const signals = stopOnSignals(refuse);
  await started(said, signals.stopBy).catch(refuse);
}

async function started(said: Readonly<Record<string, string>>, stopBy: (stop: () => Promise<void>) => void) {
  const wanted = readSettings(publicDocumentFields, said);
  const sink = standardOutput();
  const logger = pino({ ...logOptions, level: wanted.logLevel, base: { service: 'charter' } }, sink);
  const charter = await openCharter(wanted, 'server', (sentence) => logger.warn(sentence));
  const answers = wanted.role !== 'projections';
  const demo = answers ? await prepareDemo(charter, Date.now) : [];
  const serving = await serve(charter, logger, systemClock, sink.dropped);
  const { counts, reporting } = serving.runtime;
  const stop = () => serving.stop().finally(() => sink.flushed(LOG_MS));
  handleUncaughtErrors(process, { logger, counts, reporting, end: () => endBadly(stop) });
  const stopping = new AbortController();
  const welcomed = answers
    ? welcome(charter, serving.url, demo, (sentence) => logger.warn(sentence), stopping.signal)
    : Promise.resolve();
  stopBy(async () => {
    stopping.abort();
    await settledWithin(welcomed, WELCOME_MS); // the welcome uses the stores, which the stop closes
    await stop();
  });
  await welcomed.catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  if (stopping.signal.aborted) return;
  logger.info({ url: serving.url, release: wanted.release, role: wanted.role }, `Charter answers at ${serving.url}`);
}

/** Resolves when the work has ended, at the latest after this number of milliseconds. */
const settledWithin = (work: Promise<unknown>, ms: number) =>
  Promise.race([Promise.allSettled([work]), pause(ms, undefined, { ref: false })]);
/** The maximum number of milliseconds for which a stop waits for the end of the welcome. */
const WELCOME_MS = 1_000;

/**
 * Prints the addresses for the operator, and stores the URL, which the command line reads.
 * @throws the reason of `stopping`
 */
export async function welcome(
  charter: Charter,
  url: string,
  demo: readonly DemoOrganization[],
  warn: (sentence: string) => void,
  stopping: AbortSignal,
): Promise<void> {
  const { database, settings: wanted } = charter;
  if (demo.length > 0) {
    const signIns = await demoSignInsOf(charter, demo, stopping);
    process.stdout.write(demoText(url, await demoKey(charter, Date.now()), demo, signIns));
  } else if (process.stdout.isTTY) process.stdout.write(plainText(url, wanted));
  // If the tables do not answer or their disk is full, the process continues, because it already answers requests.
  const warnOf = (consequence: string) => (why: unknown) => {
    if (!(why instanceof DatabaseUnavailable)) throw why;
    warn(`${consequence} ${why.message}`);
  };
  await database.marks
    .set(SERVED_AT, url)
    .catch(
      warnOf('This server could not store its address, so the command line may print links with a wrong address.'),
    );
  const listed = await database.people.accounts
    .list({ limit: 1 })
    .catch(warnOf('This server could not check whether accounts exist.'));
  if (listed?.accounts.length === 0)
    warn(`There are no accounts yet. Create one: ${shownCommand(wanted, firstAccount)}`);
  else if (wanted.smtpUrl === undefined && demo.length === 0)
    warn('SMTP_URL is not set, so reset links and invitations wait in the outbox');
}

const demoSignInsOf = async (charter: Charter, demo: readonly DemoOrganization[], stopping: AbortSignal) =>
  demoSignIns(charter, demoPeople(demo, await charter.log.identity()), Date.now(), stopping);

/** The text for an operator at a terminal; without a terminal, only the log contains the URL. */
const plainText = (url: string, settings: Settings) => `
  Charter answers at ${url}; the HTTP interface: ${url}/api/docs
  Create an account: ${shownCommand(settings, firstAccount)}
  Create a key: ${shownCommand(settings, 'keys create --name mine --scopes organizations:read')}

`;

const firstAccount = 'accounts create --email you@example.com --role operator';

/** Ends the process after a defect, and runs the steps of the shutdown first if possible. */
function endBadly(stop: () => Promise<void>): void {
  setTimeout(() => process.exit(1), STOP_MS);
  void stop().finally(() => process.exit(1));
}
const STOP_MS = 14_000;
/** The maximum number of milliseconds for writing the last log lines. */
const LOG_MS = 500;

function refuse(error: unknown): never {
  process.stderr.write(`${sentenceOf(error) ?? String(error instanceof Error ? error.stack : error)}\n`);
  process.exit(1);
}

/** The sentence for an expected failure of the start; undefined if the failure is a defect of Charter. */
function sentenceOf(error: unknown): string | undefined {
  if (error instanceof SettingsRefused || error instanceof StoreRefused || error instanceof CatalogueRefused)
    return error.message;
  if (error instanceof DatabaseUnavailable || isLogError(error, 'unavailable')) return error.message;
  const { syscall, code = '', address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined;
  const why = listenFailures[code] ?? `cannot be listened on (${code})`;
  return `${address ?? 'HOST'}${port === undefined ? '' : `:${port}`} ${why}. The settings HOST, PORT and METRICS_PORT say where.`;
}

const listenFailures: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'is not allowed for this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is an unknown host name',
};
