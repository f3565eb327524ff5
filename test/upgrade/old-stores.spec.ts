import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
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
type Corrected = Readonly<{ issue: number; why: string; values: readonly Difference[] }>;

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

  it('an old store opens with this version, and gives its old answers except for the corrected values', async () => {
    const { ask, url } = (served = await serving({ folder, environment }));
    await until(async () => (await ask('GET', '/health/ready')).status === 200, 30_000); // the read model is rebuilt
    const answers = await answersOf(url, old.operator);
    const expected = corrected.flatMap(({ values }) => values);
    expect(sorted(differencesOf(old.answers, answers))).toEqual(sorted(expected));
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

type Difference = Readonly<{ path: string; key: string; was: unknown; is?: unknown }>;
const sorted = (all: readonly Difference[]) =>
  all.toSorted((one, other) => (`${one.path} ${one.key}` < `${other.path} ${other.key}` ? -1 : 1));

/**
 * Every value of an old answer that is different in the answer of this version. New fields and the moment of the answer
 * do not count.
 */
function differencesOf(before: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>) {
  const found: Difference[] = [];
  const compare = (path: string, key: string, was: unknown, is: unknown): void => {
    if (was !== null && typeof was === 'object' && is !== null && typeof is === 'object') {
      if (Array.isArray(was) && was.length !== (is as unknown[]).length) found.push({ path, key, was, is });
      for (const [name, value] of Object.entries(was))
        if (`${key}/${name}` !== '/at') compare(path, `${key}/${name}`, value, (is as Record<string, unknown>)[name]);
    } else if (was !== is) found.push({ path, key, was, is });
  };
  for (const [path, was] of Object.entries(before)) compare(path, '', inOneOrder(was), inOneOrder(now[path]));
  return found;
}

/**
 * Sorts the members of an answer by id, because releases list members in different orders (since issue 14: by name).
 */
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
