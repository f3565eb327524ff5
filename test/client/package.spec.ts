import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '../..');
const execute = promisify(execFile);
/** Kills the child process after this time, so that a program that never ends only makes its test fail. */
const run = (file: string, args: readonly string[], { cwd = folder } = {}) =>
  execute(file, args, { cwd, timeout: 200_000, killSignal: 'SIGKILL' });
const node = (...args: string[]) => run(process.execPath, args);

let folder: string;
/** Builds and packs the package, and unpacks it in an empty folder, beside its dependencies. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'charter-client-'));
  const built = join(folder, 'built');
  await run(process.execPath, ['scripts/build-client.mjs', built], { cwd: root });
  await run('npm', ['pack', '--offline', '--pack-destination', folder], { cwd: built });
  const installed = join(folder, 'node_modules/@charter/client');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, 'charter-client-0.1.0.tgz'), '-C', installed, '--strip-components=1']);
  rmSync(built, { recursive: true });
  for (const name of ['eventsource-parser', 'react', '@openfeature', '@types']) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true }));

const program = `
import { createCharter, isCharterProblem, type EntitlementFreshness } from '@charter/client';
import { CharterFlagProvider } from '@charter/client/openfeature';
import { CharterProvider, useCan } from '@charter/client/react';
const charter = createCharter({ url: 'http://127.0.0.1:1', key: 'chk_none' });
const acme = charter.organization('7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90');
const on: boolean = acme.can('feedback', false);
const { state }: EntitlementFreshness = acme.freshness;
export const used = [CharterFlagProvider, CharterProvider, useCan, isCharterProblem].length + Number(on);
export const change = () =>
  charter.call('PUT /api/v1/organizations/{id}/plan', { path: { id: acme.id }, body: { line: 'second', plan: 'solo' } });
export async function refused(): Promise<number | null | undefined> {
  try {
    const { body } = await change();
    return body.revision;
  } catch (error) {
    return isCharterProblem(error) && error.reason === 'limit-exceeded' ? error.problem.allowed : undefined;
  }
}
console.log(state, used);
charter.close();
`;
const wrong = `
import { createCharter } from '@charter/client';
const charter = createCharter({ url: 'http://127.0.0.1:1' });
// @ts-expect-error an unknown feature
charter.organization('x').can('feedbak');
// @ts-expect-error an unknown resource
charter.organization('x').limit('feedback');
// @ts-expect-error an unknown operation
void charter.call('PUT /api/v1/nothing', {});
// @ts-expect-error a body without the plan
void charter.call('PUT /api/v1/organizations/{id}/plan', { path: { id: 'x' }, body: { line: 'second' } });
// @ts-expect-error a list without pages
void charter.pages('GET /api/v1/organizations/{id}', { path: { id: 'x' } });
`;

describe('The package @charter/client', () => {
  it('contains modules, types and texts, and no other file', () => {
    const files = readdirSync(join(folder, 'node_modules/@charter/client'), { recursive: true, encoding: 'utf8' });
    const others = files.filter((file) => !/^[\w-]+\.js$|^types(\/browser)?(\/[\w-]+\.d\.ts)?$/.test(file));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(files).toEqual(expect.arrayContaining(['index.js', 'react.js', 'openfeature.js', 'types/index.d.ts']));
  });

  it('has types for a strict program, and refuses wrong names', async () => {
    writeFileSync(join(folder, 'program.ts'), program);
    writeFileSync(join(folder, 'wrong.ts'), wrong);
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--noUncheckedIndexedAccess'];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const libraries = ['--lib', 'es2023,dom,dom.iterable', '--types', 'node'];
    await node(tsc, 'program.ts', 'wrong.ts', ...options, ...libraries, '--exactOptionalPropertyTypes');
  }, 240_000);

  it('runs as an ES module and with `require`', async () => {
    writeFileSync(
      join(folder, 'main.mjs'),
      program.replaceAll(/, type \w+|: (boolean|EntitlementFreshness|Promise<.*?>)(?= [={])/g, ''),
    );
    expect((await node('main.mjs')).stdout).toBe('stale 4\n');
    const required = `const { createCharter } = require('@charter/client'); console.log(typeof createCharter)`;
    writeFileSync(join(folder, 'main.cjs'), required);
    expect((await node('main.cjs')).stdout).toBe('function\n');
  });

  it('can be built into a page by Vite, with the code for browser tabs and for API keys in separate files', async () => {
    const page = `import { createCharter } from '@charter/client'; createCharter({ url: '/', ticket: () => fetch('/t') });`;
    writeFileSync(join(folder, 'page.js'), page);
    writeFileSync(join(folder, 'index.html'), '<script type="module" src="/page.js"></script>');
    await node(join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error');
    const scripts = readdirSync(join(folder, 'dist/assets'));
    for (const part of ['tab-source-', 'server-source-'])
      expect([part, scripts.filter((name) => name.startsWith(part)).length]).toEqual([part, 1]);
  }, 120_000);
});
