import { talk } from '../children.mjs';
import { atMost, rounds, row } from '../measure.mjs';
import { founded } from '../stores.mjs';

const MiB = 2 ** 20;

/** Two rounds are enough, because a heap has the same size after each garbage collection. */
const ROUNDS = 2;

/**
 * Measures the memory of a thousand cached organizations with twenty members each: their states, hashes and receipts.
 */
export async function memory({ folder, scale }) {
  const thousand = await founded(folder, 'memory', { organizations: 1_001, members: 20 });
  const all = scale ? await founded(folder, 'memory-all', { organizations: 10_001, members: 20 }) : undefined;
  const weigh =
    ({ path, ids }) =>
    async () => {
      const child = talk('memory.mjs', { flags: ['--expose-gc'] });
      const bytes = await child.ask({ folder: path, ids });
      await child.stop();
      return (bytes / MiB / (ids.length - 1)) * 1_000;
    };
  const { values } = await rounds(ROUNDS, { values: weigh(thousand) });
  return [
    row({
      name: 'memory for 1,000 cached organizations',
      unit: 'MiB',
      values,
      target: { value: atMost(20) },
      ...(all && { grows: { '×10': await weigh(all)() } }),
    }),
  ];
}
