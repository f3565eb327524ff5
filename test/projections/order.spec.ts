import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@charter/database';
import { MemoryLog, type StoredEvent } from '@charter/event-log';
import { organizationView } from '@charter/organization-view';
import fc from 'fast-check';
import { live } from './history';
import { allOf, appendAgain, catchUp, hashOf } from './projecting';
import { seed } from './seed';

const folder = mkdtempSync(join(tmpdir(), 'charter-order-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The events in a random order that keeps the order within each stream. */
function shuffled(events: readonly StoredEvent[], chance: readonly number[]): readonly StoredEvent[] {
  const streams = [...Map.groupBy(events, ({ stream }) => stream).values()];
  const owners = streams.flatMap((each, index) => each.map(() => index));
  const turns = owners
    .map((owner, index) => [chance[index]!, owner] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, owner]) => owner);
  const left = streams.map((each) => each.values());
  return turns.map((owner) => left[owner]!.next().value!);
}

/** The hash of all documents of a read model that has processed the events in this order. */
async function readModelOf(events: readonly StoredEvent[], name: string, batchMax: number): Promise<string> {
  const log = new MemoryLog();
  for (const event of events) await appendAgain(log, event);
  const database = await openDatabase({ file: join(folder, `${name}.db`) });
  const store = database.view(organizationView);
  await catchUp(log, store, batchMax);
  const hash = await hashOf(log, store);
  await database.close();
  await log.close();
  return hash;
}

it('O10: The documents stay the same if the streams are mixed in a random order, and each stream keeps its own order', async () => {
  const first = new MemoryLog();
  await live(first, 4_000, 40);
  const events = await allOf(first);
  await first.close();
  expect(events.length).toBeGreaterThan(300);
  const hash = await readModelOf(events, 'as-lived', 1_000);

  const positions = (order: readonly StoredEvent[]) => order.map(({ position }) => position);
  for (const [run, batchMax] of [1, 7, 1_000, 1_000].entries()) {
    const any = fc.double({ min: 0, max: 1, noNaN: true, noDefaultInfinity: true });
    const chance = fc.sample(any, { numRuns: events.length, seed: seed + run });
    const order = shuffled(events, chance);
    expect(positions(order)).not.toEqual(positions(events));
    expect(await readModelOf(order, `shuffled-${run}`, batchMax)).toBe(hash);
  }
}, 60_000);
