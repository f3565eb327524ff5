import { closeSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLine, ended } from './command-line';
import { version } from '../../package.json';

let charter: CommandLine;
beforeEach(() => {
  charter = new CommandLine();
});
afterEach(() => charter.remove());

const missing = '7d6f0f5e-1111-4222-8333-abcdefabcdef';

describe('Command line', () => {
  it('prints its version', async () => {
    expect(await charter.run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([[['help']], [['--help']], [['help', 'keys']], [['keys', 'create', '--help']]])(
    'prints help for %j',
    async (args) => {
      const { code, stdout, stderr } = await charter.run(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('Usage: charter');
    },
  );

  it.each([
    ['no command', []],
    ['a group of commands without a command', ['keys']],
  ])('prints its help for %s', async (_what, args) => {
    const { code, stdout, stderr } = await charter.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: charter');
  });

  it.each([
    ['an unknown option', ['keys', 'list', '--all']],
    ['a missing option', ['keys', 'create', '--name', 'ci']],
    ['a wrong value', ['plan', 'assign', '7d000000-0000-4000-8000-000000000001', 'teams']],
    ['an argument too many', ['keys', 'list', 'now']],
    ['neither an organization nor --all', ['verify', '--json']],
    ['both an organization and --all', ['verify', missing, '--all']],
    ['an empty path of a new file', ['export', missing, '--out', '']],
    ['an empty path of a new folder', ['accounts', 'certificates', '--out', '']],
    ['an empty path of a file', ['catalogue', 'check', '']],
    ['an empty argument of verify', ['verify', '']],
  ])('prints the error and one hint, but no help, for %s', async (_what, args) => {
    const { code, stdout, stderr } = await charter.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .+\nAdd --help to print the arguments and options of the command\.\n$/);
  });

  it('prints how to list the commands after an unknown command', async () => {
    const { code, stderr } = await charter.run(['fly']);
    expect([code, stderr]).toEqual([2, "error: unknown command 'fly'\nRun charter --help to print the commands.\n"]);
  });

  it('suggests the list of organizations after the id of an unknown organization', async () => {
    await charter.found('Acme');
    for (const args of [['organization', 'show'], ['history'], ['verify'], ['export'], ['readers']]) {
      const { code, stderr } = await charter.run([...args, missing]);
      expect([args, code, stderr]).toEqual([
        args,
        1,
        `refused: There is no organization ${missing}. Run charter organization list to print the ids of the organizations.\n`,
      ]);
    }
  });

  it('says what is wrong with the argument of verify', async () => {
    const words = await charter.run(['verify', 'Acme']);
    expect([words.code, words.stderr]).toEqual([
      1,
      'refused: Acme is neither a file nor the id of an organization. Run charter organization list to print the ids.\n',
    ]);
    const folder = await charter.run(['verify', charter.data]);
    expect([folder.code, folder.stderr]).toEqual([1, `refused: ${charter.data} is not a regular file. Name a file.\n`]);
    const empty = join(charter.data, 'empty');
    writeFileSync(empty, '');
    const { code, stdout } = await charter.run(['verify', empty]);
    expect([code, stdout]).toEqual([1, `Not verified: ${empty}: The file is empty.\n`]);
    const notes = join(charter.data, 'notes.txt');
    writeFileSync(notes, 'notes\n');
    expect((await charter.run(['verify', notes])).stdout).toBe(
      `Not verified: ${notes} does not begin like a file of charter export, line 1: it is not JSON.\n`,
    );
  });

  it('distinguishes a missing event log from an event log that this user cannot reach', async () => {
    const link = join(charter.data, 'loop');
    symlinkSync(link, link);
    const listed = (data: string) => charter.run(['organization', 'list'], { CHARTER_DATA: data });
    expect((await listed(join(charter.data, 'none'))).stderr).toContain('refused: There is no event log at ');
    expect((await listed(link)).stderr).toBe(
      `refused: The event log at ${link}/events.db cannot be read (ELOOP). Check the path, or run the command as the user that runs the server.\n`,
    );
  });

  it('refuses data in a place that is not a folder', async () => {
    const file = join(charter.data, 'notes.txt');
    writeFileSync(file, '');
    const { code, stderr } = await charter.run(['organization', 'found', '--name', 'Acme'], { CHARTER_DATA: file });
    expect([code, stderr]).toEqual([1, `charter: ${file} is not a folder. Set CHARTER_DATA to a folder.\n`]);
  });

  it('names an argument with a wrong value, and the rule for the value', async () => {
    const { stderr } = await charter.run(['organization', 'show', 'acme']);
    expect(stderr).toMatch("error: ID 'acme' is invalid. The value must be a UUID.\n");
  });

  it.each([
    ['an organization', ['members', 'list', 'acme']],
    [
      'the organization of a key',
      ['keys', 'create', '--name', 'ci', '--scopes', 'flags:read', '--organization', 'acme'],
    ],
  ])('suggests the command that prints the ids if the id of %s has a wrong form', async (_what, args) => {
    const { stderr } = await charter.run(args);
    expect(stderr).toMatch(/UUID\.\nRun charter organization list to print the ids of the organizations\.\n$/);
  });

  it.each([
    ['a command', ['histroy'], 'history'],
    ['a command of a group', ['accounts', 'lst'], 'list'],
    ['an option', ['keys', 'list', '--jsn'], '--json'],
    ['a required option', ['accounts', 'create', '--emal', 'x'], '--email'],
    ['a required option before another option', ['keys', 'create', '--nmae', 'ci', '--json'], '--name'],
  ])('suggests a similar word, as its only hint, after a typing error in %s', async (_what, args, word) => {
    const { code, stderr } = await charter.run(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^error: .+\\n\\(Did you mean ${word}\\?\\)\\n$`));
  });

  it.each([
    ['a document', () => ['catalogue', 'list', '--json']],
    ['a history', (id: string) => ['history', id]],
    ['an export', (id: string) => ['export', id]],
    ['a status', () => ['projections', 'status', '--watch']],
  ])('prints one sentence, and exits with 1, if the standard output cannot contain %s', async (_what, argsOf) => {
    const args = argsOf(await charter.found('Acme'));
    const readOnly = openSync(join(charter.data, 'events.db'), 'r');
    const child = charter.start(args, {}, ['ignore', readOnly, 'pipe']);
    const { code, stderr } = await ended(child);
    closeSync(readOnly);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'charter: The output cannot be written (EBADF).\n' });
  });

  it.each([
    ['an export', (id: string) => ['export', id]],
    ['a status', () => ['projections', 'status', '--watch', '--json']],
  ])('ends, and prints no answer, if the reader closes the pipe of %s', async (_what, argsOf) => {
    const child = charter.start(argsOf(await charter.found('Acme')));
    child.stdout!.destroy();
    expect(await ended(child)).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  });

  it('creates no store for a command that only reads', async () => {
    const { code, stderr } = await charter.run(['verify', '--all']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^refused: There is no event log at .*events\.db\..*\n$/),
    });
  });

  it.each([
    ['a wrong setting', { PORT: 'many' }, 'PORT: '],
    ['a file that is not an event log', { EVENT_LOG: 'sqlite:notes.txt' }, 'is damaged, or it is no event log'],
    ['a missing catalogue', { CATALOGUE_FILE: 'nowhere.json' }, 'nowhere.json cannot be used'],
  ])('refuses %s with one sentence', async (_what, settings, sentence) => {
    await charter.found('Acme');
    writeFileSync(join(charter.data, 'notes.txt'), 'no event log, by any means', { mode: 0o600 });
    const { code, stdout, stderr } = await charter.run(['keys', 'list'], settings);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^charter: .*\.\n$/);
    expect(stderr).toContain(sentence);
    const json = await charter.run(['keys', 'list', '--json'], settings);
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(json.stdout).detail).toContain(sentence);
  });

  it('prints the stack trace of a failure with --verbose', async () => {
    await charter.found('Acme');
    const { stdout, stderr } = await charter.run(['keys', 'list', '--verbose'], { PORT: 'many' });
    expect(stdout).toBe('');
    expect(stderr).toMatch(/SettingsRefused: [\s\S]*\n {4}at /);
  });
});
