import { chmodSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Project } from './project';

const readyArguments = ['scripts/ready.mjs', '--build'];
let project: Project;
let builtProject: Project; // tests copy this project, because an install takes about a second
beforeAll(() => {
  builtProject = new Project();
  builtProject.run(readyArguments);
});
afterAll(() => builtProject.remove());
afterEach(() => project.remove());

const makeNewProject = () => void (project = new Project());
const copyBuiltProject = () => void (project = new Project(builtProject));

describe('The script that makes a fresh clone ready', () => {
  beforeEach(makeNewProject);

  it('installs and builds, with messages on stderr only', () => {
    const first = project.run(readyArguments);
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toMatch(/Installing about 1 packages.*Building/s);
    expect(project.has('node_modules/part/package.json')).toBe(true);
    expect(project.has('dist/apps/api/apps/cli/src/main.js')).toBe(true);
    expect(['dist.next', 'dist.old', 'dist.lock'].filter((folder) => project.has(folder))).toEqual([]);
  });

  it('counts the packages for this system, and prints every five seconds how many of them npm has unpacked', () => {
    const foreign = { os: [`!${process.platform}`] };
    const packages = {
      ...{ '': {}, 'node_modules/part': {}, 'node_modules/@scope/one': { os: process.platform, cpu: [process.arch] } },
      ...{ 'node_modules/part/node_modules/inner': {}, 'node_modules/other': { cpu: ['none'] } },
      ...{ 'node_modules/foreign': foreign, 'node_modules/foreign/node_modules/inner': {} },
    };
    project.write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
    const folders = ['node_modules/@scope/one', 'node_modules/part', 'node_modules/part/node_modules/inner'];
    project.write(
      'slow/npm-cli.js',
      `const { mkdirSync, writeFileSync } = require('node:fs');
      for (const folder of ${JSON.stringify(folders)}) mkdirSync(folder, { recursive: true });
      for (const folder of ${JSON.stringify(folders.slice(1))}) writeFileSync(folder + '/package.json', '{}');
      setTimeout(() => {}, 5_500);`,
    );
    const { code, stderr } = project.run(['scripts/ready.mjs'], {
      npm_execpath: join(project.root, 'slow/npm-cli.js'),
    });
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^Installing about 3 packages.*\n {2}2 of about 3 packages after 5 s\n$/),
    ]);
  });

  it('says that npm is downloading while no package is unpacked', () => {
    project.write('slow/npm-cli.js', 'setTimeout(() => {}, 5_500);');
    const { stderr } = project.run(['scripts/ready.mjs'], { npm_execpath: join(project.root, 'slow/npm-cli.js') });
    expect(stderr).toMatch(/\n {2}npm is still downloading the first packages after 5 s\n$/);
  });

  it('installs, but does not build, without --build', () => {
    project.run(['scripts/ready.mjs']);
    expect([project.has('node_modules/.ready'), project.has('dist')]).toEqual([true, false]);
  });

  it('builds without NODE_ENV, even if the caller has set NODE_ENV to production', () => {
    project.run(readyArguments, { NODE_ENV: 'production' });
    expect(project.read('dist/environment')).toBe('undefined');
  });
});

describe('The script in a project that is already built', () => {
  beforeEach(copyBuiltProject);

  it('does nothing, prints nothing and ends quickly if nothing changed', () => {
    const started = performance.now();
    expect(project.run(readyArguments)).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
    expect(performance.now() - started).toBeLessThan(1000); // the run usually needs 0.05 s, less than npm alone needs
    expect(project.builds()).toBe(1);
  });

  it('also starts for a user who may not write into the project', async () => {
    if (process.getuid?.() !== 0) return; // only root can run a program as another user
    await pause(1_100); // the script writes its notes only if the sources are older than a second
    chmodSync(project.root, 0o755);
    expect(project.run(readyArguments, {}, 65_534)).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  });
});

describe('A change since the last build', () => {
  beforeEach(copyBuiltProject);

  it.each(['apps/api/src/main.ts', 'libs/new/src/index.ts', 'package.json', 'tsconfig.json', '.swcrc'])(
    'in %s causes a build',
    (file) => {
      project.write(file, project.has(file) ? `${project.read(file)}\n` : '{}');
      expect(project.run(readyArguments).stderr).toMatch(/^Building/);
      expect(project.builds()).toBe(2);
    },
  );

  it.each(['apps/api/src/main.spec.ts', 'libs/new/src/any.testing.ts', 'libs/new/README.md', 'data/events.db'])(
    'in %s causes no build',
    (file) => {
      project.write(file, 'x');
      expect(project.run(readyArguments).stderr).toBe('');
    },
  );

  it('that changes only the modification time of a file causes no build', () => {
    utimesSync(join(project.root, 'apps/api/src/main.ts'), new Date(), new Date('2030-01-01'));
    expect(project.run(readyArguments).stderr).toBe('');
  });

  it('of the same length and with the old modification time causes a build, also after the script has noted all times', async () => {
    await pause(1_100); // the script notes only times that are older than a second
    project.run(readyArguments);
    expect(project.has('dist/.checked')).toBe(true);
    expect(project.run(readyArguments).stderr).toBe('');
    const file = join(project.root, 'apps/api/src/main.ts');
    const { atime, mtime } = statSync(file);
    project.write('apps/api/src/main.ts', project.read('apps/api/src/main.ts').replace('1', '2'));
    utimesSync(file, atime, mtime);
    expect(project.run(readyArguments).stderr).toMatch(/^Building/);
  });

  it('in the lock file causes an install and a build', () => {
    project.write('package-lock.json', `${project.read('package-lock.json')}\n`);
    expect(project.run(readyArguments).stderr).toMatch(/Installing.*Building/s);
  });
});

describe('A failure', () => {
  beforeEach(copyBuiltProject);

  it('of the build shows its output, and keeps the previous build', () => {
    const before = project.read('dist/.built');
    project.write('broken', '');
    project.write('apps/api/src/main.ts', 'what?');
    const { code, stderr } = project.run(readyArguments);
    expect(code).toBe(1);
    expect(stderr).toMatch(/main\.ts:1 is wrong[^]*The build failed: npm run build ended with 3\./);
    expect(project.read('dist/.built')).toBe(before);
    expect(project.has('dist.lock')).toBe(false);
  });

  it('of an install does not prevent the install in the next run', () => {
    const lock = project.read('package-lock.json');
    project.write('package-lock.json', lock.replaceAll('"part"', '"parts"'));
    expect(project.run(readyArguments)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm ci ended with 1'),
    });
    project.write('package-lock.json', lock);
    expect(project.run(readyArguments).code).toBe(0);
  });

  it('of an install that a signal stopped names the signal, not the npm registry', () => {
    rmSync(join(project.root, 'node_modules/.ready'));
    project.write('stopped/npm-cli.js', "process.kill(process.pid, 'SIGINT'); setInterval(() => {}, 1_000);");
    const { code, stderr } = project.run(readyArguments, { npm_execpath: join(project.root, 'stopped/npm-cli.js') });
    expect([code, stderr.split('\n').slice(1)]).toEqual([
      1,
      ['SIGINT stopped the installation of the packages. Run the command again.', ''],
    ]);
  });

  it('because of an old Node version prints one sentence', () => {
    project.write('node_modules/.bin/node', '#!/bin/sh\necho v20.11.0\n', 0o755);
    const { code, stderr } = project.run(readyArguments);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Charter needs Node 24\.9 or newer, but .* is v20\.11\.0: install it from \S+ and try again\.\n$/,
    );
  });

  it('because of a Node version that this system cannot run prints one sentence', () => {
    project.write('node_modules/.bin/node', 'from another system', 0o644);
    expect(project.run(readyArguments)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not run on this'),
    });
  });
});

describe('The lock of a run', () => {
  beforeEach(makeNewProject);

  it('lets only one of two runs build: the second run waits, and prints the id of the process for which it waits', async () => {
    project.write('slow', '');
    const both = await Promise.all([project.start(readyArguments), project.start(readyArguments)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.map(({ stderr }) => stderr).join('')).toMatch(/Waiting for process \d+/);
    expect(project.builds()).toBe(1);
  });

  it('does not stop a run if the process that holds the lock has ended', () => {
    const { stdout: dead } = project.run(['-p', 'process.pid']);
    project.write(`dist.lock/${dead.trim()}-1`, '');
    expect(project.run(readyArguments)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Waiting') });
  });

  it('does not stop a run if the process that held the lock has ended, even if a new process has the same id', () => {
    project.write(`dist.lock/${process.pid}-1`, '');
    expect(project.run(readyArguments)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Waiting') });
  });
});
