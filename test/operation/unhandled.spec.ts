import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformFileSync } from '@swc/core';

const folder = mkdtempSync(join(tmpdir(), 'charter-unhandled-'));
afterAll(() => rmSync(folder, { recursive: true }));

const source = join(__dirname, '../../apps/api/src/process/observability/uncaught-errors.ts');
const options = {
  swcrc: false,
  jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs' },
} as const;

/**
 * Runs this code in a process that handles uncaught errors as Charter does. Returns the lines that the handlers print,
 * and the exit status.
 */
function processThat(does: string): { noted: string[]; status: number | null } {
  writeFileSync(join(folder, 'unhandled.js'), transformFileSync(source, options).code);
  writeFileSync(
    join(folder, 'main.js'),
    `const note = (what) => (...said) => process.stdout.write(JSON.stringify([what, ...said.map((each) => each?.message ?? each?.err?.message ?? each)]) + '\\n');
     require('./unhandled.js').handleUncaughtErrors(process, {
       logger: { error: note('error'), fatal: note('fatal') },
       counts: { unhandled: note('counted') },
       reporting: { report: note('reported') },
       end: () => { note('end')(); process.exit(1); },
     });
     setTimeout(() => { note('went on')(); process.exit(0); }, 150);
     ${does}`,
  );
  const { stdout, status } = spawnSync(process.execPath, [join(folder, 'main.js')], {
    encoding: 'utf8',
    timeout: 10_000,
  });
  return { noted: stdout.trim().split('\n'), status };
}

describe('T5: Uncaught error', () => {
  it('in a promise is logged, counted and reported, and the process continues', () => {
    expect(processThat(`void Promise.reject(new Error('lost'));`)).toEqual({
      status: 0,
      noted: [
        '["counted","rejection"]',
        '["reported","lost",{"kind":"rejection"}]',
        '["error","lost","a promise was rejected without a handler"]',
        '["went on"]',
      ],
    });
  });

  it('outside of promises is logged, counted and reported, and the process ends with an error status', () => {
    expect(processThat(`setTimeout(() => { throw new Error('broken'); }, 1);`)).toEqual({
      status: 1,
      noted: [
        '["counted","exception"]',
        '["reported","broken",{"kind":"exception"}]',
        '["fatal","broken","an exception was not caught: the process ends"]',
        '["end"]',
      ],
    });
  });

  it.each(['undefined', 'null', '"text"', '42', 'Object.create(null)'])(
    'is handled for every thrown value: %s',
    (thrown) => {
      expect(processThat(`void Promise.reject(${thrown});`).status).toBe(0);
      expect(processThat(`setTimeout(() => { throw ${thrown}; }, 1);`).status).toBe(1);
    },
  );
});
