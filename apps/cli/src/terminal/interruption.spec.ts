import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { killedAfterSpecs } from '../../../../test/support/children';

/**
 * Starts a command that needs `cleanUpMs` to clean up after an interruption. Sends a signal to the command after each
 * pause. Resolves with the exit code, the signal that ended the process, and the output.
 */
async function interrupted(cleanUpMs: number, pauses: readonly number[], by: NodeJS.Signals = 'SIGINT') {
  const script = `import { createRequire } from 'node:module';
    const { interruption } = createRequire(${JSON.stringify(__filename)})('./interruption.ts');
    const stop = interruption();
    stop.signal.addEventListener('abort', () => {
      setTimeout(() => { console.log('cleaned up'); process.exit(0); }, ${cleanUpMs});
    });
    setInterval(() => undefined, 1_000);
    console.log('started');`;
  const source = join(__dirname, '../../../../test/support/from-source.mjs');
  const child = killedAfterSpecs(spawn(process.execPath, ['--import', source, '--input-type=module', '-e', script]));
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  for (const ms of pauses) {
    await pause(ms);
    child.kill(by);
  }
  const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  return { code, signal, printed };
}

it('The end of the terminal session lets the command clean up', async () => {
  const cleanedUp = { code: 0, signal: null, printed: 'started\ncleaned up\n' };
  expect(await interrupted(100, [0], 'SIGHUP')).toEqual(cleanedUp);
});

describe('Q8: A second Ctrl+C', () => {
  it('within two seconds of the first lets the command clean up', async () => {
    expect(await interrupted(1_000, [0, 200, 300])).toEqual({
      code: 0,
      signal: null,
      printed: 'started\ncleaned up\n',
    });
  });

  it('more than two seconds after the first ends the command at once', async () => {
    expect(await interrupted(60_000, [0, 2_200])).toEqual({ code: null, signal: 'SIGINT', printed: 'started\n' });
  }, 30_000);
});
