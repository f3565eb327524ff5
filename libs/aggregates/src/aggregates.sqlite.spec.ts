import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aggregates } from './aggregates';
import { envelopeOf, eventsOf, hall, open, take } from './aggregates.testing';
import { verifyChain } from '@charter/integrity';
import { uuidv5 } from '@charter/event-log';
import { SqliteLog } from '@charter/event-log';

const stream = 'hall-1';
const folder = mkdtempSync(join(tmpdir(), 'charter-aggregates-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A server and a command line that use one file, each with a separate connection and a separate cache. */
async function opened(name: string, seats: number) {
  const file = join(folder, name);
  const logs = [await SqliteLog.open({ file, role: 'server' }), await SqliteLog.open({ file, role: 'beside' })];
  const instances = logs.map((log) => aggregates(log, hall));
  await instances[0]!.execute(stream, open(seats), envelopeOf());
  return { log: logs[0]!, instances, close: () => Promise.all(logs.map((log) => log.close())) };
}

describe('Two processes on one file', () => {
  it.each([9, 150])('give all %i free seats and no more to 200 simultaneous callers', async (seats) => {
    const { log, instances, close } = await opened(`${seats}.db`, seats);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) =>
        instances[index % 2]!.execute(stream, take(`g-${index}`), envelopeOf()),
      ),
    );
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.refusal] : []));
    expect(refused).toEqual(
      Array.from({ length: 200 - seats }, () => expect.objectContaining({ refused: 'full' }) as object),
    );
    expect(await verifyChain(await eventsOf(log, stream))).toMatchObject({ ok: true, events: seats + 1 });
    await close();
  });

  it('execute a command only once if both get it at the same time, or if a caller repeats it after a restart', async () => {
    const first = await opened('once.db', 9);
    const envelope = envelopeOf({ command: uuidv5('6f1c2b0e-2b7a-4b7e-8f4e-2f6c5c7a9f12', 'key') });
    const receipts = await Promise.all(
      first.instances.map((one) => one.execute(stream, [take('ada'), take('bob')], envelope)),
    );
    await first.close();
    const again = await opened('once.db', 9);
    receipts.push(await again.instances[1]!.execute(stream, [take('ada'), take('bob')], envelope));
    expect(
      new Set(receipts.map(({ revision, events, position }) => JSON.stringify([revision, events, position]))).size,
    ).toBe(1);
    expect(receipts.map(({ repeated }) => repeated)).toContain(undefined);
    await again.instances[1]!.execute(stream, take('cyd'), envelopeOf());
    expect(await verifyChain(await eventsOf(again.log, stream))).toMatchObject({ ok: true, events: 4 });
    await again.close();
  });

  it('know without a read of the log whether a cached state is current', async () => {
    const { instances, close } = await opened('current.db', 9);
    const [here, there] = instances as [(typeof instances)[0], (typeof instances)[0]];
    const read = () => there.query(stream, ({ revision }) => revision);
    expect(there.current(stream)).toBeUndefined(); // not cached
    expect([await read(), there.current(stream)?.revision]).toEqual([0, 0]);
    await here.execute(stream, take('ada'), envelopeOf());
    expect(there.current(stream)).toBeUndefined(); // the other process has appended an event
    expect([await read(), there.current(stream)?.revision]).toEqual([1, 1]);
    await there.execute(stream, take('bob'), envelopeOf());
    expect(there.current(stream)).toBeUndefined(); // the state is from an append, and not from a read
    expect([await read(), there.current(stream)?.revision]).toEqual([2, 2]);
    await close();
  });
});
