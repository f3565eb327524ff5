import { execFile, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** A new folder in which a program can import the built client, and the packages with these names. */
function folderWith(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'charter-typescript-'));
  mkdirSync(join(folder, 'node_modules/@charter'), { recursive: true });
  symlinkSync(join(root, 'dist/client'), join(folder, 'node_modules/@charter/client'));
  for (const name of names) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  return folder;
}

it('The page about TypeScript shows a program that runs with the built client and prints what the page shows', async () => {
  const folder = folderWith();
  writeFileSync(join(folder, 'program.mts'), program.join('\n'));
  const env = { ...process.env, CHARTER_URL: served.url, CHARTER_KEY: await served.key() };
  const { stdout } = await run(process.execPath, ['program.mts'], { cwd: folder, env });
  expect(printed).toHaveLength(program.length);
  expect(stdout).toBe(printed.map(({ text }) => text).join(''));
  rmSync(folder, { recursive: true });
}, 60_000);

/** The names that the block about React takes from the program around it. */
const around = `
declare const acme: import('@charter/client').CharterOrganization;
declare const root: Readonly<{ render: (page: import('react').ReactNode) => void }>;
`;
const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--noUnusedLocals'];
const modules = ['--module', 'nodenext', '--target', 'es2023', '--jsx', 'react-jsx', '--skipLibCheck'];
const libraries = ['--lib', 'es2023,dom,dom.iterable', '--types', 'node'];

it('The TypeScript programs in the documentation have no type error in strict mode', async () => {
  const folder = folderWith('react', '@types');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const programs = [...globSync('docs/**/*.md', { cwd: root }), 'README.md', 'libs/client/README.md'].flatMap(
    (file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const blocksOf = (kind: string) =>
        [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
          .filter(([, name]) => name === kind)
          .map(([, , code]) => code!);
      // the blocks `ts` of a page are one program, and each block `tsx` is a program
      return [
        { name: `${file}.mts`, code: blocksOf('ts').join('\n') },
        ...blocksOf('tsx').map((code, index) => ({ name: `${file}.${index}.tsx`, code: around + code })),
      ].filter(({ code }) => code !== '');
    },
  );
  expect(programs.length).toBeGreaterThan(3);
  for (const { name, code } of programs) writeFileSync(join(folder, name.replaceAll('/', '-')), code);
  const files = programs.map(({ name }) => name.replaceAll('/', '-'));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--pretty', 'false', ...strict, ...modules, ...libraries];
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, ...files], { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(stdout).toBe('');
}, 120_000);
