import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { isLogError, LogError } from '../errors';
import { StoreRefused } from '../store-refused';
import { type EventStoreAddress, type Host, hostsOf } from './address';
import type { Calls } from './calls';
import { isStranger, logErrorOf } from './failure';
import { headOf } from './pages';
import { within } from './within';

type Warn = (sentence: string) => void;

/**
 * Waits until the server answers, and looks whether it may be used (`event-log.md` A9).
 * @throws StoreRefused
 */
export async function checked(calls: Calls, address: EventStoreAddress, startWithin: number): Promise<void> {
  const hosts = hostsOf(address);
  await reached(calls, hosts, startWithin);
  const version = await within(calls.client.version(), { ms: calls.ms, what: 'The version is not known' }).catch(
    (cause: unknown) => {
      throw refused(hosts, `does not say which version it is: ${logErrorOf(cause, 'It was asked').message}`, cause);
    },
  );
  if (!isNewEnough(version))
    throw refused(hosts, `runs version ${version}; Charter needs EventStoreDB 23.10 or newer, or KurrentDB`);
}

/** What only a server looks at when it starts. @throws StoreRefused */
export async function checkedThoroughly(calls: Calls, address: EventStoreAddress, warn: Warn): Promise<void> {
  await Promise.all(address.hosts.map((host) => optionsAreSafe(address, host, warn)));
  await nothingIsForgotten(calls, hostsOf(address));
}

async function reached(calls: Calls, hosts: string, startWithin: number): Promise<void> {
  for (const end = performance.now() + startWithin; ;) {
    try {
      await headOf(calls);
      return;
    } catch (cause) {
      const failure = logErrorOf(cause, 'The event store does not answer');
      if (failure.kind === 'denied' && isStranger(cause))
        throw refused(hosts, 'does not know the user of EVENT_LOG, or not by this password', cause);
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

/** Of several hosts, and of a name, the client asks for the members first: then it is they that are missing. */
const unusable = (message: string): string =>
  /failed to discover/i.test(message)
    ? `names no member that could be used (${message}); look whether the hosts are right and one of them leads`
    : `cannot be used: ${message}`;

/** A certificate that is not trusted looks like a server that is away, and would be waited for for ever. */
function certificateProblem(message: string): string | undefined {
  if (/certificate|altname|issuer/i.test(message))
    return `shows a certificate that is not trusted; name its authority with tlsCAFile=FILE (${message})`;
  if (/wrong version number|ssl3_get_record|packet length too long/i.test(message))
    return 'does not speak TLS; if it is meant to, mend it, and otherwise say tls=false';
  return undefined;
}

/** Servers before 23.10 never say that the end was reached. */
function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 10);
}

/** Refuses servers that lose what they have acknowledged. Where they do not tell their settings, it warns. */
async function optionsAreSafe(address: EventStoreAddress, host: Host, warn: Warn): Promise<void> {
  const name = `${host.address}:${host.port}`;
  let options: readonly Option[];
  try {
    options = await within(optionsOf(address, host), { ms: OPTIONS_MS, what: 'It does not answer' });
  } catch (error) {
    const why = error instanceof LogError || error instanceof Error ? error.message : String(error);
    warn(`Whether the event store at ${name} writes safely cannot be looked at (${why})`);
    return;
  }
  for (const [option, why] of Object.entries(unsafe))
    if (options.some(({ name: set, value }) => set === option && /^true$/i.test(String(value))))
      throw refused(name, why);
}

const unsafe: Readonly<Record<string, string>> = {
  MemDb: 'keeps everything in memory (MemDb): it would forget what was acknowledged',
  UnsafeDisableFlushToDisk: 'does not flush (UnsafeDisableFlushToDisk): it could lose what was acknowledged',
};
const OPTIONS_MS = 2_000;

type Option = Readonly<{ name: string; value: unknown }>;

function optionsOf({ isSecure, user, files }: EventStoreAddress, { address, port }: Host): Promise<readonly Option[]> {
  const auth = user && isSecure ? { auth: `${user.username}:${user.password}` } : {};
  const ca = files.tlsCAFile ? { ca: readFileSync(files.tlsCAFile) } : {};
  const host = address.replace(/^\[|\]$/g, '');
  const wanted = { host, port, path: '/info/options', timeout: OPTIONS_MS, agent: false as const, ...auth };
  return new Promise((resolve, reject) => {
    const request = isSecure ? overHttps({ ...wanted, ...ca }) : overHttp(wanted);
    request.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => {
        try {
          if (response.statusCode !== 200) throw new Error();
          resolve(optionsIn(JSON.parse(text)));
        } catch {
          reject(new Error(`it answers ${response.statusCode ?? 'nothing'}`));
        }
      });
    });
    request.on('timeout', () => request.destroy(new Error('it does not answer')));
    request.on('error', reject);
    request.end();
  });
}

const optionsIn = (answer: unknown): readonly Option[] =>
  (answer as readonly Record<string, unknown>[]).map((option) => ({
    name: String(option['name'] ?? option['Name']),
    value: option['value'] ?? option['Value'],
  }));

/** A sample of our streams: none may be one whose events the server drops after a time or a number. */
async function nothingIsForgotten(calls: Calls, hosts: string): Promise<void> {
  const recent = await calls.page({ direction: 'backwards', from: 'end', maxCount: SAMPLE_EVENTS, ms: calls.ms });
  const streams = new Set(recent.map(({ streamId }) => streamId).filter((name) => ours.test(name)));
  const sample = [...streams].slice(0, SAMPLE_STREAMS);
  await Promise.all(sample.map((stream) => refuseIfForgetting(calls, stream, hosts)));
}

async function refuseIfForgetting(calls: Calls, stream: string, hosts: string): Promise<void> {
  const of = { stream: `$$${stream}`, direction: 'backwards', from: 'end', maxCount: 1, ms: calls.ms } as const;
  const [set] = await calls.page(of).catch((error: unknown) => {
    if (isLogError(error, 'not-found')) return [];
    throw error;
  });
  const found = forgetting.filter((key) => typeof set?.data === 'object' && Object.hasOwn(set.data, key));
  if (found.length > 0)
    throw refused(hosts, `drops events of ${stream} (${found.join(', ')}): remove that from the stream's metadata`);
}

const forgetting = ['$maxCount', '$maxAge', '$tb'];
const ours = /^(organization|account|key|charter)-/;
const SAMPLE_EVENTS = 500;
const SAMPLE_STREAMS = 20;

const refused = (hosts: string, why: string, cause?: unknown) =>
  new StoreRefused(`The event store at ${hosts} ${why}.`, cause === undefined ? {} : { cause });
