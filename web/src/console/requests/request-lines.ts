import type { LoggedRequest } from './request-log';

type CalledRoute = Pick<LoggedRequest, 'method' | 'address' | 'fields'>;

/**
 * The request as a curl command for a shell. The command uses an API key instead of the session, because the session
 * cookie must not leave the browser. In its body, the request's fields have empty values, because the request log
 * contains no values.
 */
export function curlLine({ method, address, fields }: CalledRoute, origin: string): string {
  const verb = method === 'GET' ? '' : `-X ${method} `;
  const body = Object.fromEntries(fields.map((field) => [field, '']));
  const data = fields.length === 0 ? '' : ` -H "Content-Type: application/json" -d ${quoted(JSON.stringify(body))}`;
  return `curl ${verb}-H "Authorization: Bearer $CHARTER_KEY"${data} ${quoted(origin + address)}`;
}

/**
 * The `charter` command that prints the same facts, or makes the same change; undefined if there is no such command.
 * The command has placeholders for the values in the body of the request, which the request log does not contain.
 */
export function charterLine({ method, address, fields }: CalledRoute): string | undefined {
  const [pathname = '', search = ''] = address.split('?');
  const query = new URLSearchParams(search);
  if (method === 'GET' && Object.hasOwn(LISTS, pathname))
    return ['charter', LISTS[pathname], ...optionsOf(query, LIST_OPTIONS)].join(' ');
  const [, id, part = '', item] = ORGANIZATION.exec(pathname) ?? [];
  if (id === undefined) return undefined;
  if (part === 'members') return memberLine({ method, fields }, query, id, item);
  const command = item === undefined && method === 'GET' ? COMMANDS[part] : undefined;
  return (
    command && ['charter', command, id, ...optionsOf(query, part === 'events' ? EVENT_OPTIONS : OPTIONS)].join(' ')
  );
}

const ORGANIZATION = /^\/api\/v1\/organizations\/([0-9a-f-]{36})(?:\/([a-z]+)(?:\/([0-9a-f-]{36}))?)?$/;

/** The command for the members of an organization, or for one member. */
function memberLine(
  { method, fields }: Pick<CalledRoute, 'method' | 'fields'>,
  query: URLSearchParams,
  id: string,
  member: string | undefined,
): string | undefined {
  const has = (field: string) => fields.includes(field);
  if (member === undefined) {
    if (method === 'POST' && has('email')) return `charter members add ${id} '<EMAIL>' '<ROLE>'`;
    // the command lists all members of the present
    const isFiltered = ['asOf', 'valid', 'role', 'state'].some((name) => query.has(name));
    return method === 'GET' && !isFiltered ? `charter members list ${id}` : undefined;
  }
  if (method === 'DELETE') return `charter members remove ${id} ${member}`;
  return method === 'PATCH' && has('role') ? `charter members role ${id} ${member} '<ROLE>'` : undefined;
}

/** The options of a `charter` command for the query parameters that the command knows. */
const optionsOf = (query: URLSearchParams, known: Readonly<Record<string, string>>): readonly string[] =>
  [...query].flatMap(([name, value]) => {
    const flag = known === EVENT_OPTIONS ? FLAGS[`${name}=${value}`] : undefined;
    if (flag !== undefined) return [flag];
    return Object.hasOwn(known, name) ? [`--${known[name]} ${quoted(value)}`] : [];
  });

/** The commands for routes of the whole installation, by the path of the route. */
const LISTS: Readonly<Record<string, string>> = {
  '/api/v1/catalogue': 'catalogue list',
  '/api/v1/organizations': 'organization list',
  '/.well-known/charter-checkpoint-key': 'checkpoint key',
};
const LIST_OPTIONS = { q: 'q', plan: 'plan', limit: 'limit', cursor: 'cursor' };

/** The commands that print facts about an organization, by the last part of the route's path. */
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
const OPTIONS = { asOf: 'as-of', valid: 'valid', from: 'from', to: 'to', type: 'type', about: 'about', limit: 'limit' };
/** The options of `charter history`, by the name of the query parameter. */
const EVENT_OPTIONS = { ...OPTIONS, 'not-type': 'not-type', actor: 'actor', correlation: 'correlation' };
/** The options of `charter history` that have no value, by the query parameter with its value. */
const FLAGS: Readonly<Record<string, string>> = { 'order=newest': '--newest', 'fold=repetitions': '--fold' };

/** Quotes a text so that a POSIX shell reads it as one word. */
const quoted = (text: string): string =>
  /^[\w.:/@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
