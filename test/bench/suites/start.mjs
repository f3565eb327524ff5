import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { atMost, duration, rounds, row } from '../measure.mjs';
import { served } from '../product.mjs';
import { founded } from '../stores.mjs';

/**
 * Measures the time from the start of the process until it is ready. For comparison, the floor is an empty Node
 * process.
 */
export async function start({ folder, rounds: count, scale }) {
  const grown = await founded(folder, 'start', { organizations: 1_000, members: 20, events: 100 });
  const million = scale
    ? await founded(folder, 'start-million', { organizations: 10_000, members: 20, events: 100 })
    : undefined;
  let times = 0;
  const { floor, empty, large, largest } = await rounds(count, {
    floor: nothing,
    empty: () => starting(join(folder, `empty-${(times += 1)}`)),
    large: () => starting(grown.path),
    ...(million && { largest: () => starting(million.path) }),
  });
  const line = (name, values, most) =>
    row({ name: `start, ${name}`, unit: 's', values, floor, target: { more: atMost(most) } });
  return [
    line('an empty store', empty, 2),
    line('100,000 events', large, 3),
    ...(largest ? [line('1,000,000 events', largest, 3)] : []),
  ];
}

/** The duration of an empty Node process in seconds. */
const nothing = async () => (await duration(() => once(spawn(process.execPath, ['-e', '0']), 'exit'))) / 1000;

async function starting(folder) {
  mkdirSync(folder, { recursive: true });
  const { readyAfter, stop } = await served(folder);
  await stop();
  return readyAfter / 1000;
}
