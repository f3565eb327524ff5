import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killedAfterSpecs } from '../support/children';

export interface Ran {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A small repository with the real scripts: one local package, one source, and a build that counts its runs. */
export class Project {
  readonly root = mkdtempSync(join(tmpdir(), 'charter-ready-'));

  /** Makes a project in which no script has run yet, or a copy of the project `from`. */
  constructor(from?: Project) {
    if (from) {
      cpSync(from.root, this.root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      return;
    }
    for (const folder of ['scripts', 'bin'])
      cpSync(join(__dirname, '../..', folder), join(this.root, folder), { recursive: true });
    this.write('apps/api/src/main.ts', 'export const one = 1;');
    this.write('part/package.json', '{ "name": "part", "version": "1.0.0" }');
    this.write('package.json', JSON.stringify({ ...packageJson, scripts: { build: 'node build.js' } }));
    this.write('package-lock.json', JSON.stringify(packageLock));
    this.write('build.js', build);
  }

  write(file: string, text: string, mode = 0o644): void {
    mkdirSync(join(this.root, file, '..'), { recursive: true });
    writeFileSync(join(this.root, file), text, { mode });
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), 'utf8');
  }

  has(file: string): boolean {
    return existsSync(join(this.root, file));
  }

  /** The number of builds so far. */
  builds(): number {
    return this.has('builds') ? this.read('builds').length : 0;
  }

  /** Runs one of the scripts, as `npm` does, and waits for its end. */
  run(args: readonly string[], env: NodeJS.ProcessEnv = {}, uid = process.getuid?.()): Ran {
    const set = { ...process.env, ...env };
    const options = { cwd: this.root, env: set, uid, encoding: 'utf8', timeout: 20_000 } as const;
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, options);
    return { code: status, signal, stdout, stderr };
  }

  /**
   * Starts one of the scripts and resolves when it has ended. If `when` is a signal, sends it to the script as soon as
   * the script prints something.
   */
  start(args: readonly string[], when?: NodeJS.Signals): Promise<Ran> {
    const child = killedAfterSpecs(spawn(process.execPath, args, { cwd: this.root }));
    const ran: Ran = { code: null, signal: null, stdout: '', stderr: '' };
    child.stderr.on('data', (chunk) => (ran.stderr += String(chunk)));
    child.stdout.on('data', (chunk) => {
      ran.stdout += String(chunk);
      if (when) child.kill(when);
    });
    return new Promise((done) => child.once('close', (code, signal) => done({ ...ran, code, signal })));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

const packageJson = { name: 'small', version: '1.0.0', dependencies: { part: 'file:part' } };

const packageLock = {
  name: 'small',
  version: '1.0.0',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': packageJson,
    'node_modules/part': { resolved: 'part', link: true },
    part: { version: '1.0.0' },
  },
};

/**
 * The build script of this project. The build script writes into dist.next a program that prints its arguments. The
 * files `slow` and `broken` make the build slow, or make it fail.
 */
const build = `
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync('builds', '.');
if (existsSync('broken')) { console.log('main.ts:1 is wrong'); process.exit(3); }
const cli = 'dist.next/apps/api/apps/cli/src';
mkdirSync(cli, { recursive: true });
writeFileSync('dist.next/environment', String(process.env.NODE_ENV));
writeFileSync(cli + '/main.js', \`
  const args = process.argv.slice(2);
  console.log(JSON.stringify(args));
  if (args[0] === 'wait') setInterval(() => {}, 1000);
  else process.exitCode = Number(args[1] ?? 0);
\`);
if (existsSync('slow')) setTimeout(() => {}, 1500);
`;
