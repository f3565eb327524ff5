import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { killedAfterSpecs } from '../../../../test/support/children';

/** Starts a process whose stop takes `stopMs`. Sends one signal after each pause, and returns the exit code. */
async function exitCodeAfter(stopMs: number, signal: NodeJS.Signals, pauses: readonly number[]) {
  const script = `import { createRequire } from 'node:module';
    import { setTimeout as pause } from 'node:timers/promises';
    const { stopOnSignals } = createRequire(${JSON.stringify(__filename)})('./signals.ts');
    stopOnSignals((error) => { throw error; }).stopBy(() => pause(${stopMs}));
    setInterval(() => undefined, 1_000);
    console.log('started');`;
  const source = join(__dirname, '../../../../test/support/from-source.mjs');
  const child = killedAfterSpecs(spawn(process.execPath, ['--import', source, '--input-type=module', '-e', script]));
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  for (const ms of pauses) {
    await pause(ms);
    child.kill(signal);
  }
  const [code] = (await ended) as [number | null];
  return code;
}

describe('Q8: A second signal', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'changes nothing if it arrives within two seconds of the first %s',
    async (signal) => {
      expect(await exitCodeAfter(1_500, signal, [0, 30, 500])).toBe(0);
    },
  );

  it('ends the process at once if it arrives more than two seconds after the first signal', async () => {
    expect(await exitCodeAfter(60_000, 'SIGTERM', [0, 4_000])).toBe(1);
  }, 30_000);
});
