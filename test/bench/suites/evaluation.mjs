import { talk } from '../children.mjs';
import { atMost, rounds, row } from '../measure.mjs';
import { served } from '../product.mjs';
import { founded, keyIn } from '../stores.mjs';

const CALLS = { can: 10_000_000, why: 1_000_000, unleash: 300_000, launchDarkly: 100_000 };
const OPEN_FEATURE_CALLS = 100_000;

/**
 * Measures `@charter/client` on a warm client: reads in the process, beside two other clients with test data, and
 * through OpenFeature's SDK beside the in-memory provider of this SDK (SD1, SD2, SD3).
 */
export async function evaluation({ folder, rounds: count }) {
  const { path, ids } = await founded(folder, 'evaluation', { organizations: 1, members: 4 });
  const key = await keyIn(path);
  const service = await served(path);
  const child = talk('evaluation.mjs', { flags: ['--max-semi-space-size=512', '--expose-gc'] });
  const answers = await child.ask({ server: { url: `http://127.0.0.1:${service.port}`, key, id: ids[0] } });
  if (new Set(Object.values(answers)).size !== 1) throw new Error(`The answers differ: ${JSON.stringify(answers)}`);

  const nanoseconds = (measure, calls) => async () => (await child.ask({ measure, calls })).ns;
  const measures = {
    ...Object.fromEntries(Object.entries(CALLS).map(([name, calls]) => [name, nanoseconds(name, calls)])),
    openFeature: nanoseconds('openFeature', OPEN_FEATURE_CALLS),
    inMemory: nanoseconds('inMemory', OPEN_FEATURE_CALLS),
    allocated: () => child.ask({ measure: 'allocated', calls: CALLS.can }),
  };
  for (const warm of Object.values(measures)) await warm();
  const figures = await rounds(count, measures);
  await child.stop();
  await service.stop();
  return rowsOf(figures);
}

const FIVE_TIMES_FASTER = { ratio: atMost(0.2) };

const rowsOf = ({ can, why, unleash, launchDarkly, openFeature, inMemory, allocated }) => [
  row({ name: 'client, can()', unit: 'ns', values: can, target: { value: atMost(100) } }),
  row({
    name: 'client, bytes that one can() allocates',
    unit: 'B',
    values: allocated.map((bytes) => Math.round(bytes * 10) / 10), // the measurement itself needs some KB
    target: { value: atMost(0) },
  }),
  row({ name: 'client, why()', unit: 'ns', values: why, target: { value: atMost(1_000) } }),
  row({
    name: 'client, can(); floor: unleash-client',
    unit: 'ns',
    values: can,
    floor: unleash,
    target: FIVE_TIMES_FASTER,
  }),
  row({
    name: 'client, can(); floor: LaunchDarkly with test data',
    unit: 'ns',
    values: can,
    floor: launchDarkly,
    target: FIVE_TIMES_FASTER,
  }),
  row({
    name: 'client through OpenFeature; floor: its in-memory provider',
    unit: 'ns',
    values: openFeature,
    floor: inMemory,
    target: { ratio: atMost(1.3) },
  }),
];
