import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { compiledOnce } from '../support/compiled';
import { commandsIn } from './commands';

const root = resolve(__dirname, '../..');
const run = promisify(execFile);

/**
 * The first two commands of the README. The spec does not run these commands, because `npm test` would run this spec
 * again.
 */
const twoCommands = 'npm start\nnpm test\n';

describe('The README', () => {
  const data = mkdtempSync(join(tmpdir(), 'charter-readme-'));
  let server: ChildProcess;
  let url: string;
  let printed = '';

  beforeAll(async () => {
    const main = join(root, 'dist/apps/api/apps/api/src/main.js');
    const env = { ...process.env, ...compiledOnce, CHARTER_DATA: data, PORT: '0', CHARTER_DEMO: '' };
    server = spawn(process.execPath, [main], { cwd: data, env, stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const chunk of server.stdout!) {
      printed += String(chunk);
      if (printed.includes('Charter answers at http') && printed.includes('"msg":')) break;
    }
    url = /Charter answers at (http:\/\/localhost:\d+)/.exec(printed)![1]!;
  }, 30_000);

  afterAll(async () => {
    server.kill('SIGTERM');
    await once(server, 'exit');
    rmSync(data, { recursive: true });
  });

  const bash = async (script: string) => {
    // TMPDIR: the spec also removes the temporary folder of the tour
    const env = { ...process.env, ...compiledOnce, CHARTER_DATA: data, PORT: new URL(url).port, TMPDIR: data };
    return (await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, env })).stdout;
  };

  it('names two commands to start with', () => {
    expect(commandsIn(join(root, 'README.md'))[0]?.commands).toBe(twoCommands);
  });

  it('leads to a first start that prints curl commands, and these commands work', async () => {
    const lines = printed.split('\n').flatMap((line) => /^ +(curl .*)$/.exec(line)?.[1] ?? []);
    expect(lines).toHaveLength(3);
    const [list, users, full] = await Promise.all(lines.map(async (line) => JSON.parse(await bash(line))));
    expect(list.organizations).toHaveLength(4);
    expect(users).toMatchObject({ key: 'users', limit: 7, used: 6 });
    expect(full).toMatchObject({ type: '/problems/limit-exceeded', status: 409 });
  });

  it('shows a tour whose commands use PORT, work, and give the answers on the page', async () => {
    const tour = commandsIn(join(root, 'README.md')).filter(({ commands }) => commands !== twoCommands);
    expect(tour.length).toBeGreaterThan(5);
    const mark = '=====';
    const script = tour.map(({ commands }) => `${commands}\necho '${mark}'\n`).join('\n');
    const answers = (await bash(script)).split(mark);
    for (const [index, { answer }] of tour.entries()) {
      if (answer !== undefined) expect(JSON.parse(lastJson(answers[index]!))).toMatchObject(answer as object);
    }
  }, 180_000);
});

/** The last JSON text in the output of a block. The lines of this JSON text contain nothing else. */
const lastJson = (text: string) =>
  text
    .trim()
    .split(/\n(?=\{)|(?<=\})(?=\{)/)
    .at(-1)!;
