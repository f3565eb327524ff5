import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SqliteLog, type StoredEvent } from '@charter/event-log';
import { killedAfterSpecs } from '../support/children';
import { compiledEventLog } from './compiled';

const folder = compiledEventLog();
const file = join(folder, 'log.db');
afterAll(() => rmSync(folder, { recursive: true }));

describe('N1: A process that is killed at a random moment while it appends', () => {
  const acknowledged: Append[] = [];

  it.each(Array.from({ length: 10 }, (_, time) => time + 1))(
    'loses no acknowledged event, and its store opens within ten seconds (round %p)',
    async () => {
      acknowledged.push(...(await appendUntilKilled()));
      const begun = performance.now();
      const log = await SqliteLog.open({ file, role: 'server' });
      expect(performance.now() - begun).toBeLessThan(10_000);
      const events = await allOf(log);
      await log.close();
      expectWhole(events, acknowledged);
    },
  );

  it('has acknowledged many events, so the tests above are meaningful', () =>
    expect(acknowledged.length).toBeGreaterThan(500));
});

/** One acknowledged append: the ids of its events, and the revision of the last of them. */
type Append = Readonly<{ stream: string; revision: bigint; ids: readonly string[] }>;

async function appendUntilKilled(): Promise<Append[]> {
  const child = killedAfterSpecs(spawn(process.execPath, [join(__dirname, 'children/writer.cjs'), folder, file]));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.pipe(process.stderr);
  const ended = new Promise((resolve) => child.once('close', resolve));
  while (!said.includes('ack ') && child.exitCode === null) await pause(5);
  await pause(Math.random() * 300);
  child.kill('SIGKILL');
  await ended;
  const lines = said.split('\n').slice(0, -1); // the kill may cut off the last line
  return lines.filter((line) => line.startsWith('ack ')).map(appendOf);
}

function appendOf(line: string): Append {
  const [, stream, revision, ...ids] = line.split(' ');
  return { stream: stream!, revision: BigInt(revision!), ids };
}

/**
 * Checks that every acknowledged event is stored once and at its revision. No stream may have a gap, and no append
 * may be written only partly.
 */
function expectWhole(events: readonly StoredEvent[], acknowledged: readonly Append[]) {
  const places = Map.groupBy(events, ({ id }) => id);
  const misplaced = acknowledged.flatMap(({ stream, revision, ids }) =>
    ids.filter((id, index) => {
      const [event, ...again] = places.get(id) ?? [];
      const expected = revision - BigInt(ids.length - 1 - index);
      return event?.stream !== stream || event.revision !== expected || again.length > 0;
    }),
  );
  expect(misplaced).toEqual([]);
  for (const stream of Map.groupBy(events, (event) => event.stream).values()) {
    expect(stream.every(({ revision }, index) => revision === BigInt(index))).toBe(true);
    expect([0, 1]).toContain(stream.length % 3); // appends of one event and of two alternate: 1, 3, 4, 6, 7, …
  }
}

async function allOf(log: SqliteLog): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of log.readAll()) events.push(event);
  return events;
}
