import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { organizationView } from '@charter/organization-view';
import { CommandLine } from '../cli/command-line';
import { postgres } from '../support/stores/postgres';
import { type Served, serving, until } from '../support/serving';
import { browser } from '../support/sign-in/people';
import { answersOf } from './answers.mjs';

/** A folder of test/upgrade for each store that an earlier release wrote. */
const stores = ['2974716', '2974716-postgres'];

/**
 * Values that intentionally differ in the answers of this version, and the reason. Each store has its list in
 * `corrected.json`.
 */
type Corrected = Readonly<{
  issue: number;
  why: string;
  values: readonly Difference[];
  /** The names of lists with another order and the same entries. */
  reordered?: readonly 'members'[];
}>;

const secrets = {
  SESSION_SECRET: 'the-session-secret-of-the-old-stores-in-test-upgrade',
  CHECKPOINT_KEY: Buffer.alloc(32, 7).toString('base64'),
};

describe.each(stores)('The upgrade from release %s', (name) => {
  const file = (part: string) => join(__dirname, name, part);
  const old = JSON.parse(readFileSync(file('answers.json'), 'utf8')) as {
    operator: { email: string; password: string };
    answers: Readonly<Record<string, unknown>>;
  };
  const corrected = JSON.parse(readFileSync(file('corrected.json'), 'utf8')) as readonly Corrected[];
  const folder = mkdtempSync(join(tmpdir(), 'charter-upgrade-'));
  let environment: Readonly<Record<string, string>> = secrets;
  let served: Served | undefined;

  beforeAll(async () => {
    for (const part of ['events.db', 'documents.db'].filter((part) => existsSync(file(`${part}.gz`))))
      writeFileSync(join(folder, part), gunzipSync(readFileSync(file(`${part}.gz`))), { mode: 0o600 });
    if (existsSync(file('tables.sql.gz'))) {
      const { url } = await postgres();
      await restore(url, gunzipSync(readFileSync(file('tables.sql.gz'))).toString());
      environment = { ...secrets, DOCUMENTS: url };
    }
  });
  afterEach(() => served?.stop());
  afterAll(() => rmSync(folder, { recursive: true }));

  it('a backup of an old store that this version makes keeps the old tables, and passes `charter verify --all`', async () => {
    if (environment !== secrets) return; // `charter backup` copies only embedded stores
    const [source, copy] = [join(folder, 'documents.db'), join(folder, 'copy')];
    const before = schemaOf(source);
    const line = new CommandLine();
    expect((await line.run(['backup', copy], { ...environment, CHARTER_DATA: folder })).code).toBe(0);
    expect([schemaOf(source), schemaOf(join(copy, 'documents.db'))]).toEqual([before, before]);
    expect((await line.run(['verify', '--all'], { ...environment, CHARTER_DATA: copy })).code).toBe(0);
    // this version has migrated the tables at the opening of the stores
    expect(schemaOf(join(copy, 'documents.db'))).not.toEqual(before);
  });

  it('an old store opens with this version, and gives its old answers except for the corrected values', async () => {
    const { ask, url } = (served = await serving({ folder, environment }));
    // waits for the rebuild of the read model
    await until(async () => (await ask('GET', '/health/ready')).status === 200, 30_000);
    const answers = await answersOf(url, old.operator);
    const expected = corrected.flatMap(({ values }) => values);
    const isReordered = corrected.some(({ reordered = [] }) => reordered.includes('members'));
    expect(sorted(differencesOf(old.answers, answers, isReordered))).toEqual(sorted(expected));
    // the read model of this version has all streams, so some answers come from the read model
    expect(await served.charter.view.live()).toMatchObject({ version: organizationView.version });
    expect((await ask('GET', '/health/ready')).body.checks.projection).toMatchObject({ parked: 0 });
  });

  it('an old store lets its people sign in', async () => {
    served = await serving({ folder, environment });
    const { email, password } = old.operator;
    expect(await (await browser(served)).logIn(email, password)).toMatchObject({ status: 204 });
  });

  it('an old store passes `charter verify --all`', async () => {
    const line = new CommandLine();
    const { code, stdout, stderr } = await line.run(['verify', '--all'], { ...environment, CHARTER_DATA: folder });
    expect([code, stderr, stdout]).toEqual([0, '', expect.any(String)]);
  });
});

/** The statements that create the tables of a file. */
function schemaOf(file: string): readonly unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare('SELECT sql FROM sqlite_schema ORDER BY name').all();
  } finally {
    database.close();
  }
}

type Difference = Readonly<{ path: string; key: string; was: unknown; is?: unknown }>;
const sorted = (all: readonly Difference[]) =>
  all.toSorted((one, other) => (`${one.path} ${one.key}` < `${other.path} ${other.key}` ? -1 : 1));

/**
 * Every value of an old answer that is different in the answer of this version. New fields and the moment of the answer
 * do not count.
 */
function differencesOf(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
  isReordered: boolean,
) {
  const found: Difference[] = [];
  const compare = (path: string, key: string, was: unknown, is: unknown): void => {
    if (was !== null && typeof was === 'object' && is !== null && typeof is === 'object') {
      if (Array.isArray(was) && was.length !== (is as unknown[]).length) found.push({ path, key, was, is });
      for (const [name, value] of Object.entries(was))
        if (`${key}/${name}` !== '/at') compare(path, `${key}/${name}`, value, (is as Record<string, unknown>)[name]);
    } else if (was !== is) found.push({ path, key, was, is });
  };
  for (const [path, was] of Object.entries(before)) {
    const ordered = isReordered ? inOneOrder : (answer: unknown) => answer;
    compare(path, '', ordered(was), ordered(now[path]));
  }
  return found;
}

/** Sorts the members of an answer by id. */
function inOneOrder(answer: unknown): unknown {
  const { members } = answer as { members?: readonly Readonly<{ user?: string }>[] };
  if (!members?.every(({ user }) => user !== undefined)) return answer;
  return { ...(answer as object), members: members.toSorted((a, b) => a.user!.localeCompare(b.user!)) };
}

/**
 * Loads the output of `pg_dump`, without the lines that begin with a backslash, because only psql understands such
 * lines.
 */
async function restore(url: string, dump: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('drop schema if exists charter cascade');
  await client.query(dump.replaceAll(/^\\.*$/gm, ''));
  await client.end();
}
