import { join } from 'node:path';
import type { Command } from 'commander';
import type { ActionContext, ActionRunner } from '../../apps/cli/src/terminal/action-runner';
import { addDiff } from '../../apps/cli/src/history/diff';
import { addExport } from '../../apps/cli/src/history/export';
import { addVerify } from '../../apps/cli/src/history/verify';
import { CommandLine } from './command-line';

let stores: CommandLine;
let id: string;
beforeAll(async () => {
  stores = new CommandLine();
  id = await stores.found('Acme', 'solo', 'teams', 'solo');
});
afterAll(() => stores.remove());

/** The total, and the highest number of finished items, that a command reports to its progress bar. */
async function shownBy(add: (program: Command, doing: ActionRunner) => void, ...given: readonly unknown[]) {
  let total: number | undefined;
  const shown: number[] = [];
  const context: ActionContext = {
    signal: new AbortController().signal,
    progress: (_, of) => {
      total = of;
      return (done) => void shown.push(done);
    },
    gauge: () => () => undefined,
  };
  await actOf(add, {
    withoutStores: async (work) => {
      await work(context);
    },
    withFiles: () => Promise.reject(new Error('These commands open the stores.')),
    withStores: (work) =>
      stores.inside(async (charter) => {
        await work(charter, context);
      }),
  })(...given, { optsWithGlobals: () => ({}) });
  return { total, most: Math.max(...shown) };
}

type Act = (...given: readonly unknown[]) => Promise<void>;

/** Returns the function that runs the command, so that a test can call it directly. */
function actOf(add: (program: Command, doing: ActionRunner) => void, doing: ActionRunner): Act {
  let act: Act | undefined;
  const program: object = new Proxy(
    {},
    { get: (_, name) => (given: Act) => ((act = name === 'action' ? given : act), program) },
  );
  add(program as Command, doing);
  return act!;
}

it.each([
  ['verify', addVerify, () => [id, {}]],
  ['diff', addDiff, () => [id, { from: { revision: 0 } }]],
  ['export', addExport, () => [id, { out: join(stores.data, 'acme.ndjson') }]],
] as const)('%s reports to its progress bar how many of all events it has processed', async (_, add, words) => {
  const shown = await shownBy(add, ...words());
  expect(shown.total).toBe(4);
  expect(shown.most).toBe(4);
});
