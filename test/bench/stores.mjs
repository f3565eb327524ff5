import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lib, opened } from './product.mjs';

/** The number of commands in one append while a store is filled. */
const BATCH = 200;

/**
 * Creates a store with the product's own code. Its organizations have equal sizes and no limits, and their read model
 * is built. If `events` is given, changes of roles fill each stream up to this number of events. Resolves with the
 * folder and the ids of the organizations.
 */
export async function founded(folder, name, { organizations, members, events = 0 }) {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  const charter = await opened(path);
  const ids = await inOpen(charter, { organizations, members, events });
  const { organizationView } = lib('organization-view');
  await lib('projections').rebuild(charter.log, charter.view, organizationView);
  await charter.close();
  return { path, ids };
}

/** Founds organizations in stores that this process has opened. Resolves with their ids. */
export async function inOpen({ organizations: rules }, { organizations, members, events = 0, atOnce = 64 }) {
  const ids = Array.from({ length: organizations }, () => randomUUID());
  const left = [...ids];
  const fill = async () => {
    for (let id = left.pop(); id; id = left.pop()) await foundOne(rules, id, members, events);
  };
  await Promise.all(Array.from({ length: atOnce }, fill));
  return ids;
}

async function foundOne(rules, id, members, events) {
  const stream = lib('organization').organizationStream(id);
  const people = Array.from({ length: members }, () => randomUUID());
  const commands = [
    { type: 'FoundOrganization', data: { name: `Organization ${id.slice(0, 8)}` } },
    { type: 'AssignPlan', data: { line: 'second', plan: 'enterprise' } },
    { type: 'ConfigureLimits', data: { users: 0 } },
    { type: 'OverrideHardLimits', data: { reason: 'room for measurements' } },
    ...people.map((member) => ({ type: 'AddMember', data: { member, role: 'member' } })),
  ];
  for (let more = 0; commands.length < events; more += 1) {
    const role = Math.floor(more / members) % 2 === 0 ? 'admin' : 'member';
    commands.push({ type: 'ChangeRole', data: { member: people[more % members], role } });
  }
  for (let start = 0; start < commands.length; start += BATCH)
    await executed(rules, stream, commands.slice(start, start + BATCH));
}

/**
 * Executes commands, and repeats them if a server under load has not answered in time. The commands take effect once,
 * because the command id stays the same.
 */
async function executed(rules, stream, commands) {
  const by = byBench();
  for (let tries = 1; ; tries += 1) {
    try {
      return await rules.execute(stream, commands, by);
    } catch (error) {
      if (error.kind !== 'unavailable' || tries === 5) throw error;
    }
  }
}

/** The command context of the bench: its actor is an API key with every scope. */
export const byBench = () => ({
  actor: { kind: 'key', id: benchId, powers: lib('identity').scopes },
  at: new Date().toISOString(),
  command: randomUUID(),
  correlation: benchId,
  causation: benchId,
});
const benchId = randomUUID();

/** Makes an API key in a store that no process has opened. */
export async function keyIn(folder) {
  const documents = await lib('database').openDatabase({ file: join(folder, 'documents.db') });
  const key = await keyAmong(documents);
  await documents.close();
  return key;
}

/** Makes an API key in tables that this process has opened. */
export async function keyAmong({ keys }) {
  const { newKey, scopes } = lib('identity');
  const { key, record } = newKey({ name: 'bench', scopes }, { bytes: randomBytes, uuid: randomUUID }, Date.now());
  await keys.insert(record);
  return key;
}
