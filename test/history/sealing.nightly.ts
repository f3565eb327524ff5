import { readFileSync } from 'node:fs';
import { scratchCopy, type ScratchCopy } from '../support/scratch-copy';
import { type contradictions, type Corrected, correctedAnswers } from './golden';

let scratch: ScratchCopy;
beforeEach(() => (scratch = scratchCopy()));
afterEach(() => scratch.remove());

const sealed = (file: string) => scratch.read(`test/history/golden/${file}`);
const add = (name: string, lines: string) => scratch.node(['test/history/add-golden.mjs', name], lines);
const correct = (corrected: readonly Corrected[]) =>
  scratch.write('test/history/golden/corrected.json', JSON.stringify([...correctedAnswers(), ...corrected]));
const check = (): ReturnType<typeof contradictions> => {
  const { stdout, stderr } = scratch.node(['test/history/check-golden.mjs']);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as ReturnType<typeof contradictions>;
};

const events = readFileSync('test/history/golden/schema-1-billing.jsonl', 'utf8');

describe('Sealed histories', () => {
  it('allow a new limit, a new state field, a new field of a list entry and a new event type', () => {
    const leaflets = `  leaflets: { list: 'leaflets', entry: 'leaflet', plural: 'leaflets' },`;
    scratch.patch('organization', 'export const resources = {\n', `export const resources = {\n${leaflets}\n`);
    scratch.patch('organization', `  name: '',\n`, `  name: '',\n  motto: null,\n`);
    const entry = '  leaflets: z.strictObject({ name: z.string() }),';
    scratch.patch('organization', 'export const listEntries = {\n', `export const listEntries = {\n${entry}\n`);
    scratch.patch('organization', 'productUser: false,', 'productUser: false, invitedBy: null,');
    const evolve = '(draft: any, { motto }: any) { draft.motto = motto; }';
    const rest = `group: 'settings', entitles: false, sentence: () => ''`;
    const renamed = `MottoChanged: row({ motto: text }, { changes: ['motto'], ${rest}, evolve${evolve} }),`;
    const added = `LeafletAdded: row({ leaflet: text }, { changes: ['leaflets', 'leaflet'], ${rest}, evolve() {} }),`;
    const planted = `${renamed}\n  ${added}`;
    scratch.patch('organization', '  OrganizationRenamed: row(', `  ${planted}\n  OrganizationRenamed: row(`);
    expect(check()).toEqual({ changed: [], needless: [] });
  });

  it('do not allow a different value of a sealed field, and the check names the field and the revision', () => {
    scratch.patch('organization', 'draft.parallelUse = parallelUse;', 'draft.parallelUse = !parallelUse;');
    const { changed } = check();
    expect(changed.length).toBeGreaterThan(0);
    expect(new Set(changed.map(({ part, key }) => `${part} ${key}`))).toEqual(new Set(['state /parallelUse']));
    expect(changed).toContainEqual(expect.objectContaining({ history: 'schema-1', at: 16, was: true, is: false }));
  });

  it('do not allow the removal of a field of the state', () => {
    scratch.patch('organization', '  parallelUse: null,\n', '');
    expect(check().changed).toContainEqual(
      expect.objectContaining({ part: 'state', key: '/parallelUse', at: 0, was: null }),
    );
  });

  it('do not allow a changed limit, unless `corrected.json` names the change; the check also reports needless entries of this file', () => {
    scratch.patch(
      'organization',
      'overridden: override !== null,',
      `overridden: override !== null || resource === 'contentSections',`,
    );
    const { changed } = check();
    expect(new Set(changed.map(({ key }) => key))).toEqual(new Set(['/limits/contentSections/overridden']));

    const corrected = [...Map.groupBy(changed, ({ history, stream, part }) => `${history} ${stream} ${part}`).values()]
      .map((found) => ({ ...found[0]!, revisions: [found[0]!.at, found.at(-1)!.at] as const }))
      .map(({ history, stream, part, key, revisions }) => ({ history, stream, part, key, revisions }))
      .map((entry) => ({ ...entry, issue: 12, why: 'planted by this spec' }));
    correct(corrected);
    expect(check()).toEqual({ changed: [], needless: [] });

    const needless = { ...corrected[0]!, key: '/limits/users/used' };
    correct([...corrected, needless]);
    expect(check()).toEqual({ changed: [], needless: [needless] });
  });
});

describe('The script add-golden', () => {
  it('seals the answers that the current source code gives, without a build', () => {
    scratch.patch('identity', `keyUsed: ''`, `keyUsed: '', later: 'unbuilt'`);
    expect(add('trial', events)).toMatchObject({ status: 0 });
    expect(sealed('trial.values.json')).toContain('unbuilt');
    expect(sealed('trial.jsonl')).toBe(events);
    expect(check()).toEqual({ changed: [], needless: [] });
  });

  it('never changes an existing history, and leaves no file when it fails', () => {
    const before = sealed('schema-1.sha256');
    const again = add('schema-1', events);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('a sealed history is final')]);
    expect(sealed('schema-1.sha256')).toBe(before);

    const strange = add('strange', events.replaceAll('account-', 'organization-'));
    expect([strange.status, strange.stderr]).toEqual([1, expect.stringContaining('is newer than this code')]);
    expect(() => sealed('strange.jsonl')).toThrow('ENOENT');
  });

  it('writes files that two branches can add and merge without a conflict', () => {
    scratch.git('init', '-q', '-b', 'main');
    scratch.git('add', 'test', '.gitattributes');
    scratch.git('commit', '-qm', 'test: start');
    for (const name of ['one', 'other']) {
      scratch.git('switch', '-qc', name, 'main');
      expect(add(`schema-1-${name}`, events)).toMatchObject({ status: 0 });
      scratch.git('add', 'test');
      scratch.git('commit', '-qm', `test: add schema-1-${name}`);
    }
    scratch.git('merge', '-q', '--no-edit', 'one');
    for (const name of ['one', 'other']) expect(sealed(`schema-1-${name}.sha256`)).toContain(name);
    expect(check()).toEqual({ changed: [], needless: [] });
  });
});

describe('The script golden-commands', () => {
  const run = (commands: readonly object[]) =>
    scratch.node(['test/history/golden-commands.mjs'], commands.map((command) => JSON.stringify(command)).join('\n'));
  const commands = [
    { type: 'FoundOrganization', data: { name: 'Acme' } },
    { type: 'AddSite', data: { hostname: 'shop.example' } },
  ];

  it('prints the events of commands; the same commands give the same events, which `add-golden` accepts', () => {
    const { stdout, status } = run(commands);
    expect([status, stdout]).toEqual([0, run(commands).stdout]);
    expect(add('schema-1-trial', stdout)).toMatchObject({ status: 0 });
    expect(sealed('schema-1-trial.jsonl')).toBe(stdout);
    expect(stdout).toContain('"SiteAdded"');
  });

  it('fails for a refused command', () => {
    expect(run([...commands, ...commands.slice(1)])).toMatchObject({ status: 1 });
  });
});
