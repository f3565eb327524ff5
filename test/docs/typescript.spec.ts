import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Served, serving } from '../support/serving';

const root = join(__dirname, '../..');
const run = promisify(execFile);
const page = readFileSync(join(root, 'docs/how-to/ask-from-typescript.md'), 'utf8');

/** The program of the page, and the lines that the page says it prints. */
const blocks = [...page.matchAll(/^```(ts|text)\n([\s\S]*?)^```$/gm)].map(([, kind, text]) => ({ kind, text: text! }));
const program = blocks.filter(({ kind }) => kind === 'ts').map(({ text }) => text);
const printed = blocks.filter(({ kind }, index) => kind === 'text' && blocks[index - 1]?.kind === 'ts');

let served: Served;
beforeAll(async () => void (served = await serving()));
afterAll(() => served.close());

it('The page about TypeScript shows a program that runs with the built client and prints what the page shows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'charter-typescript-'));
  mkdirSync(join(folder, 'node_modules/@charter'), { recursive: true });
  symlinkSync(join(root, 'dist/client'), join(folder, 'node_modules/@charter/client'));
  writeFileSync(join(folder, 'program.mts'), program.join('\n'));
  const env = { ...process.env, CHARTER_URL: served.url, CHARTER_KEY: await served.key() };
  const { stdout } = await run(process.execPath, ['program.mts'], { cwd: folder, env });
  expect(printed).toHaveLength(program.length);
  expect(stdout).toBe(printed.map(({ text }) => text).join(''));
  rmSync(folder, { recursive: true });
}, 60_000);
