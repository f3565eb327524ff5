import type { Moment } from '@charter/decider';
import { type KeyRecord, type KeyStore, type NewKeyRequest, newKey, parseKey, type Scope } from '@charter/identity';
import { organizationStream } from '@charter/organization';
import { type Charter, secureRandom } from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import { commandLineContext } from '../terminal/command-line-context';
import type { ActionRunner } from '../terminal/action-runner';
import { CommandDeclined } from '../terminal/problem';
import { refuseUnknownOrganization } from '../organizations/unknown-organization';
import { pairs, table } from '../terminal/table';
import { parseExpiry, organizationName, organizationId, scopesOf } from '../terminal/argument-values';

type CreateOptions = Readonly<{ name: string; scopes: readonly Scope[]; organization?: string; expires?: Moment }>;

export function addKeys(program: Command, { withStores }: ActionRunner): void {
  const keys = program.command('keys').description('API keys: credentials of programs');
  keys
    .command('create')
    .description('create a key; it is printed once and not stored')
    .requiredOption('--name <name>', 'the purpose of the key', organizationName)
    .requiredOption('--scopes <scopes>', 'its scopes, separated by commas', scopesOf)
    .option('--organization <id>', 'the only organization that the key may use', organizationId)
    .option('--expires <when>', 'when it expires: 90d, or an ISO 8601 moment', (text: string) => parseExpiry(text))
    .action((options: CreateOptions) => withStores((charter) => create(charter, options), 'may be founded'));
  keys
    .command('list')
    .description('list all keys, revoked keys too; never their secrets')
    .action(() => withStores(({ database }) => list(database.keys)));
  keys
    .command('revoke')
    .argument('<KEY>', 'its id, its prefix such as chk_0123456789ab, or the whole key')
    .description('revoke a key at once, in every process')
    .action((id: string) => withStores((charter) => revoke(charter, id)));
}

async function create(
  charter: Charter,
  { name, scopes, organization, expires }: CreateOptions,
): Promise<CommandAnswer> {
  if (organization !== undefined) await refuseUnknown(charter, organization);
  const request: NewKeyRequest = { name, scopes, ...(organization && { organization }), ...(expires && { expires }) };
  const { key, record } = newKey(request, secureRandom, Date.now());
  const { id } = record;
  const data = { scopes: record.scopes, ...(organization && { organization }) };
  await charter.trail.record({ key: id }, { type: 'KeyCreated', data }, commandLineContext());
  await charter.database.keys.insert(record);
  const facts = pairs([['key', key], ['id', id], ['scopes', record.scopes.join(', ')], ...bounds(record)]);
  return { text: `${facts}\n\nThe key is shown only once. Store it now.`, json: { id, key } };
}

const bounds = ({ organization, expires }: KeyRecord): [string, string][] => [
  ['organization', organization ?? 'all'],
  ['expires', expires ?? 'never'],
];

/**
 * Refuses to create an API key for an unknown organization, because the operator has probably mistyped the
 * organization's id.
 */
async function refuseUnknown({ organizations }: Charter, id: string): Promise<void> {
  if (await organizations.query(organizationStream(id), ({ state }) => state.name !== '')) return;
  refuseUnknownOrganization(id);
}

async function list(keys: KeyStore): Promise<CommandAnswer> {
  const shown = (await keys.list()).map((record) => shownOf(record));
  const rows = shown.map(({ prefix, name, scopes, organization, state, used, id }) => {
    return [prefix, name, scopes.join(', '), organization ?? 'all', state, used ?? 'never', id];
  });
  const text = table(['PREFIX', 'NAME', 'SCOPES', 'ORGANIZATION', 'STATE', 'LAST USE', 'ID'], rows);
  return { text: rows.length > 0 ? text : 'There are no keys. Create one with: charter keys create', json: shown };
}

/** The record of an API key as the command prints it, without the hash. */
function shownOf(record: KeyRecord, now = new Date().toISOString()) {
  const { id, prefix, name, scopes, organization, created, expires, revoked, used } = record;
  const state = revoked !== undefined ? 'revoked' : expires !== undefined && expires <= now ? 'expired' : 'active';
  return { id, prefix, name, scopes, organization, created, expires, revoked, used, state };
}

/**
 * Finds the API key by its id, by its prefix, or by the whole text of a leaked key. Revoking a key a second time
 * changes nothing.
 */
async function revoke({ database: { keys }, trail }: Charter, which: string): Promise<CommandAnswer> {
  const prefix = parseKey(which)?.prefix ?? which;
  const found = (await keys.byIds([which.toLowerCase()]))[0] ?? (await keys.find(prefix));
  if (!found)
    throw new CommandDeclined(
      'no-such-key',
      404,
      'There is no key with this id or prefix. Run charter keys list to print the ids and prefixes.',
    );
  const isNow = found.revoked === undefined;
  if (isNow) {
    // The key is revoked only after the log contains the event, so the log contains every revocation.
    await trail.record({ key: found.id }, { type: 'KeyRevoked', data: {} }, commandLineContext());
    await keys.revoke(found.id, Date.now());
  }
  const { id, name, revoked } = (await keys.find(found.prefix)) ?? found;
  const text = `The key ${found.prefix} (${name}) ${isNow ? 'is revoked.' : `was revoked already, ${revoked!}.`}`;
  return { text, json: { id, prefix: found.prefix, revoked } };
}
