import { randomUUID } from 'node:crypto';
import type { Served } from '../serving';

export const path = (id: string, rest = '') => `/api/v1/organizations/${id}${rest}`;

/** Founds an organization over HTTP and returns its id. @throws if the service refuses the founding */
export async function founded(
  { ask, key }: Pick<Served, 'ask' | 'key'>,
  { name = 'Acme', owner, by }: { name?: string; owner?: string; by?: string } = {},
): Promise<string> {
  const made = await ask('POST', '/api/v1/organizations', {
    key: by ?? (await key()),
    body: { name, ...(owner && { owner }) },
  });
  if (made.status !== 201) throw new Error(`The organization was not founded: ${made.text}`);
  return made.body.id as string;
}

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
