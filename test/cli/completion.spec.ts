import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { scripts } from '../../apps/cli/src/completion/completion-scripts';
import { compiledOnce } from '../support/compiled';
import { CommandLine } from './command-line';

const main = resolve(__dirname, '../../dist/apps/api/apps/cli/src/main.js');
const run = promisify(execFile);

type Completion = Readonly<{ value?: string; typed: string; before: string; fitting: readonly string[] }>;

/** The candidates for each list of words, computed by the built program in one process. */
async function completionsOf(words: readonly (readonly string[])[]): Promise<readonly Completion[]> {
  const script = `
    const of = (name) => require(process.argv[1] + '/' + name + '.js');
    const program = of('program').charterProgram({});
    const completions = JSON.parse(process.argv[2]).map((words) => {
      const { candidates, ...wanted } = of('completion/completion-words').completionRequestOf(program, words);
      const fitting = candidates.map(({ word }) => word).filter((word) => word.startsWith(wanted.typed));
      return { ...wanted, fitting };
    });
    console.log(JSON.stringify(completions));`;
  const args = ['-e', script, dirname(main), JSON.stringify(words)];
  return JSON.parse((await run(process.execPath, args)).stdout) as Completion[];
}

let charter: CommandLine;
let ids: readonly string[];

beforeAll(async () => {
  charter = new CommandLine();
  ids = [await charter.found('Acme\u001b[2J'), await charter.found('Borg')];
  await charter.run(['projections', 'rebuild']);
  const bin = join(charter.data, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'charter'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(join(bin, 'charter'), 0o755);
  writeFileSync(join(charter.data, 'export of acme.ndjson'), '');
}, 60_000);
afterAll(() => charter.remove());

/** The words on the command line, of which the last word is incomplete, and the expected completion. */
const cases: readonly (readonly [words: readonly string[], expected: Partial<Completion>])[] = [
  [['hist'], { fitting: ['history'] }],
  [['organization', 's'], { fitting: ['show'] }],
  [['help', 'hist'], { fitting: ['history'] }],
  [['--json', 'hist'], { fitting: ['history'] }],
  [['--ver'], { fitting: ['--version', '--verbose'] }],
  [['history', '--ver'], { fitting: ['--verbose'] }],
  [['history', '--as'], { fitting: ['--as-of'] }],
  [['history', ''], { value: 'ID', fitting: [] }],
  [['history', '--json', '7d'], { value: 'ID', typed: '7d' }],
  [['history', '--limit', '3', '7d'], { value: 'ID', typed: '7d' }],
  [['history', '7d', ''], { fitting: [] }],
  [['history', '--type', 'PlanAssigned,Plan'], { value: 'types', typed: 'Plan', before: 'PlanAssigned,' }],
  [['history', '--type=PlanAssigned,Plan'], { value: 'types', typed: 'Plan', before: '--type=PlanAssigned,' }],
  [['history', '--type', '=', 'Plan'], { value: 'types', typed: 'Plan', before: '' }],
  [['history', '--type', '='], { value: 'types', typed: '', before: '' }],
  [['history', '--type=PlanAssigned', '7d'], { value: 'ID', typed: '7d' }],
  [['organization', 'list', '--plan', 'sec'], { value: 'LINE/PLAN', typed: 'sec' }],
  [['export', '--all', '--out', 'ev'], { value: 'file', typed: 'ev' }],
  [['serve', '--role', ''], { fitting: ['all', 'api', 'projections'] }],
  [['completion', ''], { fitting: ['bash', 'zsh', 'fish'] }],
  [['accounts', 'set-role', 'ada', 'op'], { value: 'ROLE', typed: 'op' }],
  [['keys', 'revoke', '7d'], { value: 'KEY', typed: '7d' }],
  [['history', '--', '--as'], { fitting: [] }],
  [['nonsense', 'x', ''], { fitting: [] }],
];

describe('Completion of a word', () => {
  it('offers the commands that the help shows, and not the hidden command `complete`', async () => {
    const [{ fitting }] = (await completionsOf([['']])) as [Completion];
    const shown = ['serve', 'history', 'diff', 'verify', 'export', 'completion', 'help'];
    expect(fitting).toEqual(expect.arrayContaining(shown));
    expect(fitting).not.toContain('complete');
    expect(new Set(fitting).size).toBe(fitting.length);
  });

  it('depends on the earlier words of the command line', async () => {
    const completions = await completionsOf(cases.map(([words]) => words));
    for (const [index, [words, expected]] of cases.entries())
      expect({ words, ...completions[index] }).toMatchObject({ words, ...expected });
  });
});

/** The candidates that bash offers at TAB for each of these lines. Any other output of bash is part of the result. */
async function offeredByBash(...lines: readonly (readonly string[])[]): Promise<readonly (readonly string[])[]> {
  const calls = lines.map((words, at) => `COMP_WORDS=(charter "\${line${at}[@]}") COMP_CWORD=${words.length}`);
  const script = [
    'source <(charter completion bash)',
    ...lines.map((words, at) => `line${at}=(${words.map(quoted).join(' ')})`),
    ...calls.map((words) => `${words}; _charter; printf '%s\\n' "\${COMPREPLY[@]}" ''`),
  ].join('\n');
  const env = { ...compiledOnce, PATH: `${charter.data}/bin:${process.env['PATH']}`, CHARTER_DATA: charter.data };
  const options = { env: { ...env, COMP_TYPE: '63' }, cwd: charter.data };
  const { stdout, stderr } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], options);
  expect(stderr).toBe('');
  return stdout.split('\n\n').map((reply) => reply.split('\n').filter((line) => line !== ''));
}
const quoted = (word: string) => `'${word}'`;

describe('charter completion', () => {
  it('makes bash complete commands, ids, files, event types and plans at TAB, and executes nothing that the person has typed', async () => {
    const typed = ['history', '$(touch evaluated)', '`touch evaluated`'];
    const [command, all, one, files, list, plan, nothing] = await offeredByBash(
      ...[['his'], ['history', ''], ['diff', ids[1]!.slice(0, 8)], ['import', 'e']],
      ...[
        ['history', '--type', 'PlanAssigned,PlanE'],
        ['organization', 'list', '--plan', '=', 'second/so'],
      ],
      [...typed, 'x'],
    );
    expect(command).toEqual(['history']);
    expect(all!.toSorted()).toEqual([`${ids[0]}  Acme\ufffd[2J`, `${ids[1]}  Borg`].toSorted());
    expect(one).toEqual([ids[1]]);
    expect(files).toContain('export of acme.ndjson');
    expect(list).toEqual(['PlanAssigned,PlanEnded']);
    expect(plan).toEqual(['second/solo']);
    expect(nothing).toEqual([]);
    expect(existsSync(join(charter.data, 'evaluated'))).toBe(false);
  }, 60_000);

  it('offers nothing and prints no error if there is no store', async () => {
    const elsewhere = new CommandLine();
    expect(await elsewhere.run(['complete', '--', 'history', ''])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    elsewhere.remove();
  });

  it('has a script for each supported shell, which calls the hidden command `complete`', () => {
    for (const script of Object.values(scripts)) expect(script).toContain('complete -- ');
  });
});
