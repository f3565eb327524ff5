import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '../..');
const execute = promisify(execFile);

/** A folder in which a program can import the package that `npm pack` has made. */
export type PackedClient = Readonly<{
  folder: string;
  /** Runs a program in the folder. Kills it after some minutes, so that a program that never ends fails its test. */
  run: (file: string, ...args: readonly string[]) => Promise<Readonly<{ stdout: string }>>;
  remove: () => void;
}>;

/** The packages that the three modules need, and the types that a strict program needs. */
const others = ['eventsource-parser', 'react', '@openfeature/server-sdk', '@types/react', '@types/node'];

/** Builds, packs and unpacks the package beside its dependencies. Needs no package registry. */
export const packedClient = (): Promise<PackedClient> =>
  packed(async (folder, archive, run) => {
    const unpacked = join(folder, 'node_modules/@charter/client');
    mkdirSync(unpacked, { recursive: true });
    await run('tar', '-xzf', archive, '-C', unpacked, '--strip-components=1');
    for (const name of others.map((other) => other.replace(/^(@\w+)[/].*/, '$1'))) {
      const place = join(folder, 'node_modules', name);
      if (!existsSync(place)) symlinkSync(join(root, 'node_modules', name), place);
    }
  });

/** Builds and packs the package. `npm` then installs the archive and its dependencies in an empty folder. */
export const installedClient = (): Promise<PackedClient> =>
  packed(async (_folder, archive, run) => {
    const versionOf = (name: string) =>
      (JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string })
        .version;
    const wanted = others.slice(1).map((name) => `${name}@${versionOf(name)}`);
    await run('npm', 'install', '--no-audit', '--no-fund', '--fetch-retries=1', archive, ...wanted);
  });

async function packed(
  install: (folder: string, archive: string, run: PackedClient['run']) => Promise<void>,
): Promise<PackedClient> {
  const folder = mkdtempSync(join(tmpdir(), 'charter-client-'));
  const runIn = (cwd: string, file: string, args: readonly string[]) =>
    execute(file, args, { cwd, timeout: 200_000, killSignal: 'SIGKILL' });
  const run: PackedClient['run'] = (file, ...args) => runIn(folder, file, args);
  const remove = () => rmSync(folder, { recursive: true });
  try {
    const built = join(folder, 'built');
    await runIn(root, process.execPath, ['scripts/build-client.mjs', built]);
    await runIn(built, 'npm', ['pack', '--offline', '--pack-destination', folder]);
    rmSync(built, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    await install(folder, join(folder, 'charter-client-0.1.0.tgz'), run);
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, run, remove };
}

/** Lets Vite build a page with this program into the folder `dist`. */
export async function buildPage({ folder, run }: PackedClient, script: string): Promise<void> {
  writeFileSync(join(folder, 'page.js'), script);
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><body><script type="module" src="/page.js"></script></body>',
  );
  await run(process.execPath, join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error');
}

/** A strict program in TypeScript that uses the three modules of the package. */
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
/** A program with wrong names. TypeScript must refuse each of them. */
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

/** A program in CommonJS that loads the three modules of the package. */
const required = `
const { createCharter } = require('@charter/client');
const { useCan } = require('@charter/client/react');
const { CharterFlagProvider } = require('@charter/client/openfeature');
console.log(typeof createCharter, typeof useCan, typeof CharterFlagProvider);
`;

/** Checks the types of both programs with this compiler. @throws with the compiler's messages */
export async function expectTypes({ folder, run }: PackedClient, node: string, tsc: string): Promise<void> {
  writeFileSync(join(folder, 'program.ts'), program);
  writeFileSync(join(folder, 'wrong.ts'), wrong);
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--noUncheckedIndexedAccess'];
  const libraries = ['--lib', 'es2023,dom,dom.iterable', '--types', 'node'];
  await run(node, tsc, 'program.ts', 'wrong.ts', '--noEmit', ...options, ...libraries, '--exactOptionalPropertyTypes');
}

/** Runs the program with this Node, as an ES module and with `require`. */
export async function expectRuns({ folder, run }: PackedClient, node: string): Promise<void> {
  const script = program.replaceAll(/, type \w+|: (boolean|EntitlementFreshness|Promise<.*?>)(?= [={])/g, '');
  writeFileSync(join(folder, 'main.mjs'), script);
  expect((await run(node, 'main.mjs')).stdout).toBe('stale 4\n');
  writeFileSync(join(folder, 'main.cjs'), required);
  expect((await run(node, 'main.cjs')).stdout).toBe('function function function\n');
}
