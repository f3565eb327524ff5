import { type ChildProcess, spawn } from 'node:child_process';
import { killedAfterSpecs } from './children';

let child: ChildProcess;
// The import has added its `afterAll` hook before this hook. Jest runs both hooks after all specs, in this order.
afterAll(() => expect(child.signalCode).toBe('SIGKILL'));

describe('Child process of a spec', () => {
  it('runs until all specs of the file have ended, and is then killed', () => {
    child = killedAfterSpecs(spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)']));
    expect(child.exitCode).toBeNull();
  });
});
