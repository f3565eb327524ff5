import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Served } from '../serving';

export const path = (id: string, rest = '') => `/api/v1/organizations/${id}${rest}`;

/**
 * Founds an organization over HTTP and returns its id. Repeats the request while the service answers 503, because a
 * busy machine may delay a store.
 * @throws if the service refuses the founding
 */
export async function founded(
  { ask, key }: Pick<Served, 'ask' | 'key'>,
  { name = 'Acme', owner, by }: { name?: string; owner?: string; by?: string } = {},
): Promise<string> {
  const request = { key: by ?? (await key()), body: { name, ...(owner && { owner }) } };
  const found = () => ask('POST', '/api/v1/organizations', request);
  let made = await found();
  for (let repeated = 0; made.status === 503 && repeated < REPEATS_MAX; repeated += 1) {
    await pause(PAUSE_MS);
    made = await found();
  }
  if (made.status !== 201) throw new Error(`The organization was not founded: ${made.text}`);
  return made.body.id as string;
}

const REPEATS_MAX = 5;
const PAUSE_MS = 1_000;

/** Sends several requests, one after the other. @throws if the service refuses a request */
export async function done(
  { ask }: Pick<Served, 'ask'>,
  by: string,
  id: string,
  ...steps: readonly (readonly [method: string, rest: string, body?: object])[]
): Promise<void> {
  for (const [method, rest, body] of steps) {
    const answer = await ask(method, path(id, rest), { key: by, body });
    if (answer.status >= 300) throw new Error(`${method} ${rest} answered ${answer.status}: ${answer.text}`);
  }
}

export const newId = () => randomUUID();
