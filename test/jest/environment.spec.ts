import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'charter-jest-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

const inOrderOfNames = `
  const { default: Sequencer } = require(${JSON.stringify(resolve('node_modules/@jest/test-sequencer'))});
  module.exports = class extends Sequencer {
    sort(tests) { return [...tests].sort((one, other) => one.path.localeCompare(other.path)); }
  };`;

/** Runs the tests in one process as two spec files, one after the other. Returns the messages of failed tests. */
async function failuresOf(first: string, second: string): Promise<readonly string[]> {
  write('first.spec.js', `it('first', () => { ${first} });`);
  write('second.spec.js', `it('second', () => { ${second} });`);
  write('in-order-of-names.cjs', inOrderOfNames);
  const [testEnvironment, runtime] = ['environment', 'runtime'].map((name) => resolve(`test/jest/${name}.cjs`));
  write(
    'jest.config.json',
    JSON.stringify({ testEnvironment, runtime, testSequencer: './in-order-of-names.cjs', transform: {} }),
  );
  const jest = [resolve('node_modules/jest/bin/jest.js'), '--runInBand', '--json', '--watchman=false'];
  const printed = await new Promise<string>((done) =>
    execFile(process.execPath, jest, { cwd: folder }, (_error, stdout) => done(stdout)),
  );
  const { numTotalTests, testResults } = JSON.parse(printed);
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

  it('undoes what a spec file changed', async () => {
    const changes = `
      globalThis.added = true;
      globalThis.fetch = () => 'changed';
      process.env.ADDED = 'yes';
      process.env.PATH = 'changed';
      delete process.env.HOME;
      jest.spyOn(Math, 'random').mockReturnValue(7);
      jest.useFakeTimers({ now: 0 });`;
    const checks = `
      expect('added' in globalThis).toBe(false);
      expect(String(fetch)).not.toMatch(/changed/);
      expect(process.env.ADDED).toBeUndefined();
      expect(process.env.PATH).not.toBe('changed');
      expect(process.env.HOME).toBeDefined();
      expect(Math.random()).toBeLessThan(1);
      expect(Date.now()).toBeGreaterThan(0);`;
    expect(await failuresOf(changes, checks)).toEqual([]);
  });

  it('loads a package once, with its global names, but loads a package with settings again', async () => {
    for (const name of ['part', 'zod']) {
      mkdirSync(join(folder, 'node_modules', name), { recursive: true });
      write(`node_modules/${name}/index.js`, `globalThis.${name} = exports;`);
    }
    const note = `process.noted = [require('zod'), require('part')];`;
    const compare = `
      expect(require('part')).toBe(process.noted[1]);
      expect(globalThis.part).toBe(process.noted[1]);
      expect(require('zod')).not.toBe(process.noted[0]);`;
    expect(await failuresOf(note, compare)).toEqual([]);
  });
});
