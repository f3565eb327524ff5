import 'reflect-metadata';
import { CatalogueRefused } from '@charter/catalogue';
import { StoreRefused } from '@charter/event-log';
import { type Charter, openCharter, SERVED_AT, settings, SettingsRefused } from '@charter/wiring';
import { pino } from 'pino';
import { demoKey, type DemoOrganization, demoPeople, demoText, prepareDemo } from './demo';
import { demoSignIns } from './demo-people';
import { serve } from './serve';
import { mindUnhandled } from './unhandled';

/** Settings → stores → examples → listening. Whatever is wrong stops the start with one sentence. */
async function main(): Promise<void> {
  const wanted = settings();
  const logger = pino({
    level: wanted.logLevel,
    base: { service: 'charter' },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
  const charter = await openCharter(wanted, 'server', (sentence) => logger.warn(sentence));
  const demo = await prepareDemo(charter, Date.now());
  const serving = await serve(charter, logger);
  const { counts, reporting } = serving.runtime;
  mindUnhandled(process, { logger, counts, reporting, end: () => endBadly(serving.stop) });
  stopOnSignals(serving.stop);
  if (demo.length > 0)
    process.stdout.write(
      demoText(
        serving.url,
        await demoKey(charter.documents.keys, Date.now()),
        demo,
        await demoSignInsOf(charter, demo),
      ),
    );
  else if (process.stdout.isTTY) process.stdout.write(plainText(serving.url));
  await charter.documents.marks.set(SERVED_AT, serving.url);
  if ((await charter.documents.people.accounts.list({ limit: 1 })).accounts.length === 0)
    logger.warn('Nobody can sign in yet: npx charter accounts create --email YOU@EXAMPLE.COM --role operator');
  else if (wanted.smtpUrl === undefined && demo.length === 0)
    logger.warn('SMTP_URL is not set, so reset links and invitations wait in the outbox and reach nobody');
  logger.info({ url: serving.url, release: wanted.release }, `Charter answers at ${serving.url}`);
}

const demoSignInsOf = async (charter: Charter, demo: readonly DemoOrganization[]) =>
  demoSignIns(charter, demoPeople(demo, await charter.log.identity()), Date.now());

/** For whoever sits in front of it; programs read the log. */
const plainText = (url: string) => `
  Charter answers at ${url}; the interface, to read and to try: ${url}/api/docs
  Make somebody who can sign in: npx charter accounts create --email you@example.com --role operator
  Make a key: npx charter keys create --name mine --scopes organizations:read

`;

/** The first signal stops in good order; a second one does not wait. */
function stopOnSignals(stop: () => Promise<void>): void {
  let asked = false;
  const onSignal = () => {
    if (asked) process.exit(1);
    asked = true;
    stop().then(() => process.exit(0), refuse);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** As far as a stop in good order still works; `serve.ts` says how long requests under way may take. */
function endBadly(stop: () => Promise<void>): void {
  setTimeout(() => process.exit(1), STOP_MS);
  void stop().finally(() => process.exit(1));
}
const STOP_MS = 14_000;

function refuse(error: unknown): never {
  process.stderr.write(`${sentenceOf(error) ?? String(error instanceof Error ? error.stack : error)}\n`);
  process.exit(1);
}

/** What may go wrong at any start has a sentence; anything else is a mistake of ours. */
function sentenceOf(error: unknown): string | undefined {
  if (error instanceof SettingsRefused || error instanceof StoreRefused || error instanceof CatalogueRefused)
    return error.message;
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

main().catch(refuse);
