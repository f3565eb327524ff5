import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'charter-jest-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

const alphabeticalSequencer = `
  const { default: Sequencer } = require(${JSON.stringify(resolve('node_modules/@jest/test-sequencer'))});
  module.exports = class extends Sequencer {
    sort(tests) { return [...tests].sort((one, other) => one.path.localeCompare(other.path)); }
  };`;

const { projects } = createRequire(__filename)('../../jest.config.cjs') as { projects: [Record<string, unknown>] };
const { testEnvironment, runtime, sandboxInjectedGlobals } = projects[0];

/** Runs the tests in one process as two spec files, one after the other. */
async function run(first: string, second: string) {
  write('first.spec.js', `it('first', async () => { ${first} });`);
  write('second.spec.js', `it('second', async () => { ${second} });`);
  write('alphabetical-sequencer.cjs', alphabeticalSequencer);
  const serverSettings = JSON.stringify({ testEnvironment, runtime, sandboxInjectedGlobals });
  const settings = JSON.parse(serverSettings.replaceAll('<rootDir>', resolve('.'))) as object;
  write(
    'jest.config.json',
    JSON.stringify({ ...settings, testSequencer: './alphabetical-sequencer.cjs', transform: {} }),
  );
  const jest = [resolve('node_modules/jest/bin/jest.js'), '--runInBand', '--json', '--watchman=false'];
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((done) =>
    execFile(process.execPath, jest, { cwd: folder }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    ),
  );
}

/** Returns the messages of failed tests. */
async function failuresOf(first: string, second: string): Promise<readonly string[]> {
  const { numTotalTests, testResults } = JSON.parse((await run(first, second)).stdout);
  expect(numTotalTests).toBe(2);
  return testResults.map(({ message }: { message: string }) => message).filter(Boolean);
}

describe('The environment of the specs', () => {
  it('reports a failed test', async () => {
    expect(await failuresOf('', 'expect(1).toBe(2)')).toEqual([expect.stringContaining('second')]);
  });

  it('gives specs the global objects of Node', async () => {
    const isError = `
      try { require('node:fs').readFileSync('missing'); }
      catch (error) { expect(error instanceof Error).toBe(true); }
      expect.assertions(1);`;
    expect(await failuresOf(isError, isError)).toEqual([]);
  });

  it('restores what a spec file changed', async () => {
    const changes = `
      globalThis.added = true;
      globalThis.fetch = () => 'changed';
      delete globalThis.structuredClone;
      expect.addEqualityTesters([() => true]);
      process.env.ADDED = 'yes';
      process.env.PATH = 'changed';
      delete process.env.HOME;
      jest.spyOn(Math, 'random').mockReturnValue(7);
      jest.useFakeTimers({ now: 0 });`;
    const checks = `
      expect('added' in globalThis).toBe(false);
      expect(String(fetch)).not.toMatch(/changed/);
      expect(typeof structuredClone).toBe('function');
      expect(() => expect(1).toEqual(2)).toThrow();
      expect(process.env.ADDED).toBeUndefined();
      expect(process.env.PATH).not.toBe('changed');
      expect(process.env.HOME).toBeDefined();
      expect(Math.random()).toBeLessThan(1);
      expect(Date.now()).toBeGreaterThan(0);`;
    expect(await failuresOf(changes, checks)).toEqual([]);
  });

  it('keeps a package and its global names for the next spec file', async () => {
    addPackage('part');
    const remember = `process.firstCopy = require('part');`;
    const compare = `
      expect(require('part')).toBe(process.firstCopy);
      expect(globalThis.part).toBe(process.firstCopy);`;
    expect(await failuresOf(remember, compare)).toEqual([]);
  });

  it('gives each spec file its own copy of a package that stores settings', async () => {
    addPackage('zod');
    const remember = `process.firstCopy = require('zod');`;
    expect(await failuresOf(remember, `expect(require('zod')).not.toBe(process.firstCopy);`)).toEqual([]);
  });

  it('fails the run if a spec file logs after it has finished', async () => {
    const wait = 'await new Promise((done) => setTimeout(done, 500));';
    const { code, stderr } = await run(`setTimeout(() => console.log('late'), 100);`, wait);
    expect(stderr).toMatch(/Cannot log after tests are done/);
    expect(code).toBe(1);
  });
});

/** Adds a package that defines a global name. */
function addPackage(name: string) {
  mkdirSync(join(folder, 'node_modules', name), { recursive: true });
  write(`node_modules/${name}/index.js`, `globalThis.${name} = exports;`);
}
