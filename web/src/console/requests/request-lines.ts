import type { LoggedRequest } from './request-log';

/**
 * The request as a curl command for a shell. The command uses an API key instead of the session, because the session
 * cookie must not leave the browser. In its body, the request's fields have empty values, because the request log
 * contains no values.
 */
export function curlLine(
  { method, address, fields }: Pick<LoggedRequest, 'method' | 'address' | 'fields'>,
  origin: string,
): string {
  const verb = method === 'GET' ? '' : `-X ${method} `;
  const body = Object.fromEntries(fields.map((field) => [field, '']));
  const data = fields.length === 0 ? '' : ` -H "Content-Type: application/json" -d ${quoted(JSON.stringify(body))}`;
  return `curl ${verb}-H "Authorization: Bearer $CHARTER_KEY"${data} ${quoted(origin + address)}`;
}

const ORGANIZATION =
  /^\/api\/v1\/organizations\/([0-9a-f-]{36})(?:\/(entitlements|events|diff|readers|verify|export))?$/;

/** The `charter` command that prints the same facts; undefined if there is no such command. */
export function charterLine({ method, address }: Pick<LoggedRequest, 'method' | 'address'>): string | undefined {
  if (method !== 'GET') return undefined;
  const [pathname = '', query = ''] = address.split('?');
  if (pathname === '/api/v1/catalogue') return 'charter catalogue list';
  const [, id, part] = ORGANIZATION.exec(pathname) ?? [];
  if (id === undefined) return undefined;
  const options = [...new URLSearchParams(query)].flatMap(([name, value]) => {
    if (part === 'events' && name === 'order') return value === 'newest' ? ['--newest'] : [];
    const option = OPTIONS[name] ?? (part === 'events' || name === 'limit' ? EVENT_OPTIONS[name] : undefined);
    return option === undefined ? [] : [`--${option} ${quoted(value)}`];
  });
  return ['charter', COMMANDS[part ?? ''], id, ...options].join(' ');
}

const COMMANDS: Readonly<Record<string, string>> = {
  '': 'organization show',
  entitlements: 'organization show',
  events: 'history',
  diff: 'diff',
  readers: 'readers',
  verify: 'verify',
  export: 'export',
};
/** The options of the `charter` commands, by the name of the query parameter. */
const OPTIONS: Readonly<Record<string, string>> = {
  asOf: 'as-of',
  valid: 'valid',
  from: 'from',
  to: 'to',
  type: 'type',
  about: 'about',
};

/** The additional options of `charter history`, by the name of the query parameter. */
const EVENT_OPTIONS: Readonly<Record<string, string>> = {
  'not-type': 'not-type',
  actor: 'actor',
  correlation: 'correlation',
  limit: 'limit',
};

/** Quotes a text so that a POSIX shell reads it as one word. */
const quoted = (text: string): string =>
  /^[\w.:/@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
