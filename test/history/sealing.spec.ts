import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { contradictions, Corrected } from './golden';

/** A copy of the domain and of the golden histories, where a spec may change the code. */
function scratchCopy() {
  const root = mkdtempSync(join(tmpdir(), 'charter-sealing-'));
  cpSync('libs', join(root, 'libs'), { recursive: true, filter: (file) => !/\.(spec|testing)\.ts$/.test(file) });
  cpSync('test/history', join(root, 'test/history'), { recursive: true, filter: (file) => !file.endsWith('.spec.ts') });
  for (const file of ['.prettierrc.json', '.gitattributes']) cpSync(file, join(root, file));
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));

  const run = (program: string, args: readonly string[], input = '') =>
    spawnSync(program, args, { cwd: root, encoding: 'utf8', input });
  const script = (name: string, args: readonly string[] = [], input = '') =>
    run(process.execPath, [join('test/history', name), ...args], input);
  return {
    /** Changes a source. @throws when the text to replace is not there: the patch must follow the code. */
    patch: (file: string, from: string, to: string) => {
      const path = join(root, file);
      const before = readFileSync(path, 'utf8');
      if (!before.includes(from)) throw new Error(`${file} does not contain: ${from}. Adapt the patch in this spec.`);
      writeFileSync(path, before.replace(from, to));
    },
    read: (file: string) => readFileSync(join(root, 'test/history/golden', file), 'utf8'),
    correct: (corrected: readonly Corrected[]) =>
      writeFileSync(join(root, 'test/history/golden/corrected.json'), JSON.stringify(corrected)),
    check: (): ReturnType<typeof contradictions> => {
      const { stdout, stderr } = script('check-golden.mjs');
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as ReturnType<typeof contradictions>;
    },
    add: (name: string, events: string) => script('add-golden.mjs', [name], events),
    git: (...args: string[]) => {
      const who = ['-c', 'user.name=Spec', '-c', 'user.email=spec@example.org'];
      const { status, stdout, stderr } = run('git', [...who, ...args]);
      if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stdout}${stderr}`);
      return stdout;
    },
    remove: () => rmSync(root, { recursive: true }),
  };
}

let scratch: ReturnType<typeof scratchCopy>;
beforeEach(() => (scratch = scratchCopy()));
afterEach(() => scratch.remove());

const state = 'libs/organization/src/state.ts';
const eventTable = 'libs/organization/src/events.ts';
const terms = 'libs/organization/src/terms.ts';
const entitlements = 'libs/organization/src/entitlements.ts';
const events = readFileSync('test/history/golden/schema-1-billing.jsonl', 'utf8');

describe('Sealed histories', () => {
  it('allow a new limit, a new state field, a new field of an entry and a new event type', () => {
    const surveys = `  surveys: { list: 'surveys', entry: 'survey', words: 'surveys' },`;
    scratch.patch(terms, 'export const resources = {\n', `export const resources = {\n${surveys}\n`);
    scratch.patch(state, `  name: '',\n`, `  name: '',\n  surveys: {},\n  country: null,\n`);
    scratch.patch(eventTable, 'productUser: false,', 'productUser: false, invitedBy: null,');
    const evolve = '(draft: any, { country }: any) { draft.country = country; }';
    const row = `CountryChanged: { changes: ['country'], entitles: false, sentence: () => '', evolve${evolve} },`;
    scratch.patch(eventTable, '  OrganizationRenamed: {', `  ${row}\n  OrganizationRenamed: {`);
    expect(scratch.check()).toEqual({ changed: [], needless: [] });
  });

  it('refuse another value for a sealed key, and name the key and the revision', () => {
    scratch.patch(eventTable, 'draft.parallelUse = parallelUse;', 'draft.parallelUse = !parallelUse;');
    const { changed } = scratch.check();
    expect(changed.length).toBeGreaterThan(0);
    expect(new Set(changed.map(({ part, key }) => `${part} ${key}`))).toEqual(new Set(['state /parallelUse']));
    expect(changed).toContainEqual(expect.objectContaining({ history: 'schema-1', at: 16, was: true, is: false }));
  });

  it('refuse a state field that is no longer there', () => {
    scratch.patch(state, '  parallelUse: null,\n', '');
    expect(scratch.check().changed).toContainEqual(
      expect.objectContaining({ part: 'state', key: '/parallelUse', at: 0, was: null }),
    );
  });

  it('refuse another limit, unless a correction names it', () => {
    scratch.patch(
      entitlements,
      'overridden: lifted !== null,',
      `overridden: lifted !== null || resource === 'contentSections',`,
    );
    const { changed } = scratch.check();
    expect(new Set(changed.map(({ key }) => key))).toEqual(new Set(['/limits/contentSections/overridden']));

    const corrected = [...Map.groupBy(changed, ({ history, stream, part }) => `${history} ${stream} ${part}`).values()]
      .map((found) => ({ ...found[0]!, revisions: [found[0]!.at, found.at(-1)!.at] as const }))
      .map(({ history, stream, part, key, revisions }) => ({ history, stream, part, key, revisions }))
      .map((entry) => ({ ...entry, issue: 12, why: 'planted by this spec' }));
    scratch.correct(corrected);
    expect(scratch.check()).toEqual({ changed: [], needless: [] });

    const needless = { ...corrected[0]!, key: '/limits/users/used' };
    scratch.correct([...corrected, needless]);
    expect(scratch.check()).toEqual({ changed: [], needless: [needless] });
  });
});

describe('add-golden', () => {
  it('seals what the sources say now, without a build', () => {
    scratch.patch('libs/identity/src/audit-streams.ts', `keyUsed: ''`, `keyUsed: '', later: 'unbuilt'`);
    expect(scratch.add('trial', events)).toMatchObject({ status: 0 });
    expect(scratch.read('trial.values.json')).toContain('unbuilt');
    expect(scratch.read('trial.jsonl')).toBe(events);
    expect(scratch.check()).toEqual({ changed: [], needless: [] });
  });

  it('never changes a history that is there, and leaves nothing behind when it fails', () => {
    const sealed = scratch.read('schema-1.sha256');
    const again = scratch.add('schema-1', events);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('a sealed history is final')]);
    expect(scratch.read('schema-1.sha256')).toBe(sealed);

    const strange = scratch.add('strange', events.replaceAll('account-', 'organization-'));
    expect([strange.status, strange.stderr]).toEqual([1, expect.stringContaining('is newer than this code')]);
    expect(() => scratch.read('strange.jsonl')).toThrow('ENOENT');
  });

  it('makes files that two branches can add and merge without a conflict', () => {
    scratch.git('init', '-q', '-b', 'main');
    scratch.git('add', 'test', '.gitattributes');
    scratch.git('commit', '-qm', 'test: start');
    for (const name of ['one', 'other']) {
      scratch.git('switch', '-qc', name, 'main');
      expect(scratch.add(`schema-1-${name}`, events)).toMatchObject({ status: 0 });
      scratch.git('add', 'test');
      scratch.git('commit', '-qm', `test: add schema-1-${name}`);
    }
    scratch.git('merge', '-q', '--no-edit', 'one');
    for (const name of ['one', 'other']) expect(scratch.read(`schema-1-${name}.sha256`)).toContain(name);
    expect(scratch.check()).toEqual({ changed: [], needless: [] });
  });
});
