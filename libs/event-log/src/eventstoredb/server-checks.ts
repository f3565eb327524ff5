import { setTimeout as pause } from 'node:timers/promises';
import { isLogError } from '../errors';
import { StoreRefused } from '../store-refused';
import { type EventStoreAddress, hostsOf } from './address';
import type { ServerCalls } from './calls';
import { isAuthenticationFailure, logErrorOf } from './failure';
import { retentionSettingsOf } from './truncated-streams';
import { checkServerOptions, type Warn } from './server-options';
import { headOf } from './pages';
import { withTimeout } from './time-bound';

/**
 * Waits until the server answers, then checks whether Charter may use it (`event-log.md` A9).
 * @throws StoreRefused
 */
export async function checkEventStore(
  calls: ServerCalls,
  address: EventStoreAddress,
  startWithin: number,
): Promise<void> {
  const hosts = hostsOf(address);
  await waitForServer(calls, hosts, startWithin);
  const version = await withTimeout(calls.client.version(), { ms: calls.ms, what: 'The version is not known' }).catch(
    (cause: unknown) => {
      throw refused(
        hosts,
        `does not say which version it is: ${logErrorOf(cause, 'The version is not known').message}`,
        cause,
      );
    },
  );
  if (!isNewEnough(version))
    throw refused(hosts, `runs version ${version}; Charter needs EventStoreDB 23.10 or newer, or KurrentDB`);
}

/**
 * Checks the options of the EventStoreDB servers and the streams' retention settings. The checks take long, so only the
 * server process makes them, when it starts.
 * @throws StoreRefused
 */
export async function checkEventStoreThoroughly(
  calls: ServerCalls,
  address: EventStoreAddress,
  warn: Warn,
): Promise<void> {
  await Promise.all(address.hosts.map((host) => checkServerOptions(address, host, warn)));
  await checkRetention(calls, hostsOf(address));
}

async function waitForServer(calls: ServerCalls, hosts: string, startWithin: number): Promise<void> {
  for (const end = performance.now() + startWithin; ;) {
    try {
      // Tries the read once, because this loop repeats the read itself, and ends at once for a wrong certificate.
      await headOf({ ...calls, page: calls.tryPage });
      return;
    } catch (cause) {
      const failure = logErrorOf(cause, 'The event store does not answer');
      if (failure.kind === 'denied' && isAuthenticationFailure(cause))
        throw refused(hosts, 'does not accept the user and the password in EVENT_LOG', cause);
      if (failure.kind === 'denied')
        throw refused(hosts, 'does not let this user read everything: give it the right to read $all', cause);
      const why = certificateProblem(failure.message);
      if (why) throw refused(hosts, why, cause);
      if (!isLogError(failure, 'unavailable') || performance.now() > end)
        throw refused(hosts, unusable(failure.message.replace(/\.$/, '')), cause);
      await pause(200);
    }
  }
}

/**
 * The reason why the store cannot be used. If the address names several hosts, or a host to discover members, the
 * client reports only that it found no member.
 */
const unusable = (message: string): string =>
  /failed to discover/i.test(message)
    ? `names no member that could be used (${message}); check that the hosts are right and that one member is the leader`
    : /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT|Name resolution failed|no answer within/.test(message)
      ? `cannot be reached (${/E[A-Z_]{5,}|Name resolution failed/.exec(message)?.[0] ?? 'no answer'}): check host, port and whether it runs`
      : `cannot be used: ${message}`;

/**
 * The client cannot distinguish an untrusted certificate from a stopped server. This check finds an untrusted
 * certificate, so that the start fails at once and does not wait for the server.
 */
function certificateProblem(message: string): string | undefined {
  if (/certificate|altname|issuer/i.test(message))
    return `shows a certificate that is not trusted; name its authority with tlsCAFile=FILE (${message})`;
  if (/wrong version number|ssl3_get_record|packet length too long/i.test(message))
    return 'does not speak TLS; correct its certificate settings, or give tls=false';
  return undefined;
}

/** Whether the server sends `caughtUp`, which servers before version 23.10 do not send. */
function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 10);
}

/**
 * Refuses a server that drops events of Charter's streams by age or by number. Checks a sample of streams that changed
 * recently.
 */
async function checkRetention(calls: ServerCalls, hosts: string): Promise<void> {
  const recent = await calls.page({ direction: 'backwards', from: 'end', maxCount: SAMPLE_EVENTS, ms: calls.ms });
  const streams = new Set(recent.map(({ streamId }) => streamId).filter((name) => charterStream.test(name)));
  const sample = [...streams].slice(0, SAMPLE_STREAMS);
  await Promise.all(
    sample.map(async (stream) => {
      const found = await retentionSettingsOf(calls, stream);
      if (found.length > 0)
        throw refused(hosts, `drops events of ${stream} (${found.join(', ')}): remove that from the stream's metadata`);
    }),
  );
}

const charterStream = /^(organization|account|key|charter)-/;
const SAMPLE_EVENTS = 500;
const SAMPLE_STREAMS = 20;

const refused = (hosts: string, why: string, cause?: unknown) =>
  new StoreRefused(`The event store at ${hosts} ${why}.`, cause === undefined ? {} : { cause });
