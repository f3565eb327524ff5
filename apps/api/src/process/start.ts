import 'reflect-metadata';
import { CatalogueRefused } from '@charter/catalogue';
import { DatabaseUnavailable } from '@charter/database';
import { isLogError, StoreRefused } from '@charter/event-log';
import { type Charter, openCharter, SERVED_AT } from '@charter/application';
import { readSettings, SettingsRefused } from '@charter/settings';
import { pino } from 'pino';
import { demoKey, type DemoOrganization, demoPeople, demoText, prepareDemo } from '../demo/demo';
import { demoSignIns } from '../demo/demo-people';
import { standardOutput } from './observability/log-sink';
import { serve } from './serve';
import { stopOnSignals } from './signals';
import { handleUncaughtErrors } from './observability/uncaught-errors';

/**
 * Settings → stores → examples → listening. Whatever is wrong stops the start with one sentence.
 * @param said settings of a command line, which win
 */
export async function start(said: Readonly<Record<string, string>> = {}): Promise<void> {
  const signals = stopOnSignals(refuse);
  await started(said, signals.stopBy).catch(refuse);
}

async function started(said: Readonly<Record<string, string>>, stopBy: (stop: () => Promise<void>) => void) {
  const wanted = readSettings(said);
  const sink = standardOutput();
  const logger = pino(
    { level: wanted.logLevel, base: { service: 'charter' }, timestamp: pino.stdTimeFunctions.isoTime },
    sink,
  );
  const charter = await openCharter(wanted, 'server', (sentence) => logger.warn(sentence));
  const answers = wanted.role !== 'projections';
  const demo = answers ? await prepareDemo(charter, Date.now) : [];
  const serving = await serve(charter, logger, Date.now, sink.dropped);
  const { counts, reporting } = serving.runtime;
  const stop = () => serving.stop().finally(() => sink.flushed(LOG_MS));
  handleUncaughtErrors(process, { logger, counts, reporting, end: () => endBadly(stop) });
  stopBy(stop);
  if (answers) await welcome(charter, serving.url, demo, (sentence) => logger.warn(sentence));
  logger.info({ url: serving.url, release: wanted.release, role: wanted.role }, `Charter answers at ${serving.url}`);
}

/** What whoever starts it wants to know, and where the command line finds it. */
async function welcome(
  charter: Charter,
  url: string,
  demo: readonly DemoOrganization[],
  warn: (sentence: string) => void,
): Promise<void> {
  const { documents, settings: wanted } = charter;
  if (demo.length > 0)
    process.stdout.write(demoText(url, await demoKey(charter, Date.now()), demo, await demoSignInsOf(charter, demo)));
  else if (process.stdout.isTTY) process.stdout.write(plainText(url));
  await documents.marks.set(SERVED_AT, url).catch((why: unknown) => {
    if (!(why instanceof DatabaseUnavailable)) throw why; // on a full disk it answers questions all the same
    warn(`The command line may not find this server by itself: its address could not be noted. ${why.message}`);
  });
  if ((await documents.people.accounts.list({ limit: 1 })).accounts.length === 0)
    warn('Nobody can sign in yet: npx charter accounts create --email YOU@EXAMPLE.COM --role operator');
  else if (wanted.smtpUrl === undefined && demo.length === 0)
    warn('SMTP_URL is not set, so reset links and invitations wait in the outbox and reach nobody');
}

const demoSignInsOf = async (charter: Charter, demo: readonly DemoOrganization[]) =>
  demoSignIns(charter, demoPeople(demo, await charter.log.identity()), Date.now());

/** For whoever sits in front of it; programs read the log. */
const plainText = (url: string) => `
  Charter answers at ${url}; the interface, to read and to try: ${url}/api/docs
  Make somebody who can sign in: npx charter accounts create --email you@example.com --role operator
  Make a key: npx charter keys create --name mine --scopes organizations:read

`;

/** As far as a stop in good order still works; `serve.ts` says how long requests under way may take. */
function endBadly(stop: () => Promise<void>): void {
  setTimeout(() => process.exit(1), STOP_MS);
  void stop().finally(() => process.exit(1));
}
const STOP_MS = 14_000;
/** What was logged last may take this long to be written. */
const LOG_MS = 500;

function refuse(error: unknown): never {
  process.stderr.write(`${sentenceOf(error) ?? String(error instanceof Error ? error.stack : error)}\n`);
  process.exit(1);
}

/** What may go wrong at any start has a sentence; anything else is a mistake of ours. */
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
  EACCES: 'may not be listened on by this user',
  EADDRNOTAVAIL: 'is no address of this machine',
  ENOTFOUND: 'is a name that nobody knows',
};
