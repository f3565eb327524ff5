import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lib, opened } from './product.mjs';

/** Commands in one append while a store is being filled. */
const BATCH = 200;

/**
 * Fills a new store through the product's own rules: organizations of one size, without limits, projected. `events`:
 * the length of each stream at the end (changed roles fill it up). Resolves with the folder and the organizations' ids.
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

/** Fills open stores. */
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
 * Repeats a command that a server under load did not answer in time. The store executes it once, because the command id
 * is the same.
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

/** The caller of the bench: a key with every scope. */
export const byBench = () => ({
  actor: { kind: 'key', id: benchId, powers: lib('identity').scopes },
  at: new Date().toISOString(),
  command: randomUUID(),
  correlation: benchId,
  causation: benchId,
});
const benchId = randomUUID();

/** Makes a key in a closed store, through the tables' own library. */
export async function keyIn(folder) {
  const documents = await lib('database').openDatabase({ file: join(folder, 'documents.db') });
  const key = await keyAmong(documents);
  await documents.close();
  return key;
}

/** Makes a key in open tables. */
export async function keyAmong({ keys }) {
  const { newKey, scopes } = lib('identity');
  const { key, record } = newKey({ name: 'bench', scopes }, { bytes: randomBytes, uuid: randomUUID }, Date.now());
  await keys.insert(record);
  return key;
}
