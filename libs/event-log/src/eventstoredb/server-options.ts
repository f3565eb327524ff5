import { readFileSync } from 'node:fs';
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { LogError } from '../errors';
import { StoreRefused } from '../store-refused';
import type { EventStoreAddress, EventStoreHost } from './address';
import { withTimeout } from './time-bound';

/** Receives warnings for the operator. */
export type Warn = (sentence: string) => void;

/**
 * Refuses a server whose settings allow it to lose acknowledged events. Warns if the server does not show these
 * settings.
 */
export async function checkServerOptions(address: EventStoreAddress, host: EventStoreHost, warn: Warn): Promise<void> {
  const name = `${host.address}:${host.port}`;
  let options: readonly Option[];
  try {
    options = await withTimeout(optionsOf(address, host), { ms: OPTIONS_MS, what: 'It does not answer' });
  } catch (error) {
    const why = error instanceof LogError || error instanceof Error ? error.message : String(error);
    warn(`Charter cannot check whether the event store at ${name} writes safely (${why})`);
    return;
  }
  for (const [option, why] of Object.entries(unsafe))
    if (options.some(({ name: set, value }) => set === option && /^true$/i.test(String(value))))
      throw new StoreRefused(`The event store at ${name} ${why}.`);
}

const unsafe: Readonly<Record<string, string>> = {
  MemDb: 'keeps everything in memory (MemDb): it would forget what was acknowledged',
  UnsafeDisableFlushToDisk: 'does not flush (UnsafeDisableFlushToDisk): it could lose what was acknowledged',
};
const OPTIONS_MS = 2_000;

type Option = Readonly<{ name: string; value: unknown }>;

function optionsOf(
  { isSecure, user, files }: EventStoreAddress,
  { address, port }: EventStoreHost,
): Promise<readonly Option[]> {
  const auth = user && isSecure ? { auth: `${user.username}:${user.password}` } : {};
  const trust = {
    ...(files.tlsCAFile && { ca: readFileSync(files.tlsCAFile) }),
    ...(files.userCertFile && { cert: readFileSync(files.userCertFile) }),
    ...(files.userKeyFile && { key: readFileSync(files.userKeyFile) }),
  };
  const host = address.replace(/^\[|\]$/g, '');
  const wanted = { host, port, path: '/info/options', timeout: OPTIONS_MS, agent: false as const, ...auth };
  return new Promise((resolve, reject) => {
    const request = isSecure ? overHttps({ ...wanted, ...trust }) : overHttp(wanted);
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
