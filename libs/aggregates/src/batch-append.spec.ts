import { aggregates } from './aggregates';
import {
  logWith,
  envelopeOf,
  countingLog,
  eventsOf,
  hall,
  type HallCommand,
  leave,
  noAnswer,
  noon,
  open,
  take,
} from './aggregates.testing';
import { verifyChain } from '@charter/integrity';
import type { Envelope } from '@charter/event-log';
import { eventId } from '@charter/event-log';
import { MemoryLog } from '@charter/event-log';
import type { EventLog } from '@charter/event-log';

const stream = 'hall-1';

/** A hall with a command in execution, so that later commands wait in the queue and form a batch. */
async function busyHall(seats: number, around = (log: EventLog) => log) {
  const { log, calls } = countingLog(around(new MemoryLog()));
  const halls = aggregates(log, hall);
  await halls.execute(stream, open(seats), envelopeOf());
  const served = halls.execute(stream, take('first'), envelopeOf());
  const all = (...commands: readonly (readonly [HallCommand | HallCommand[], Partial<Envelope>?])[]) =>
    Promise.allSettled([
      ...commands.map(([command, given]) => halls.execute(stream, command, envelopeOf(given))),
      served,
    ]);
  return { log, halls, calls, all };
}

const bulge = (bytes: number): HallCommand => ({ type: 'Bulge', data: { bytes } });
const guests = (count: number) => Array.from({ length: count }, (_, index) => `g-${index}`);
const outcomes = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.map((one) =>
    one.status === 'fulfilled' ? 'yes' : (one.reason.refusal?.refused ?? one.reason.kind ?? one.reason.name),
  );

describe('Commands that wait at the same time', () => {
  it('share an append, but have separate receipts, event ids and correlations', async () => {
    const { log, calls, all } = await busyHall(99);
    const commands = guests(50).map((guest) => [take(guest), { correlation: guest }] as const);
    const receipts = (await all(...commands)).map((one) => (one.status === 'fulfilled' ? one.value : undefined));
    expect(calls.appends).toBe(3); // three appends: for the opening, for the first guest, and for all other guests
    for (const [index, guest] of guests(50).entries()) {
      const events = [{ type: 'Taken', data: { guest, row: index + 1 } }];
      expect(receipts[index]).toEqual({ revision: index + 2, events, position: await log.head() });
    }
    const events = await eventsOf(log, stream);
    expect(await verifyChain(events)).toMatchObject({ ok: true, events: 52 });
    for (const { id, metadata } of events) expect(id).toBe(eventId((metadata as { command: string }).command, 0));
    expect(events.slice(2).map(({ metadata }) => (metadata as Envelope).correlation)).toEqual(guests(50));
  });

  it('are each decided on the state that the earlier commands produce, without a further read of the log', async () => {
    const { calls, all } = await busyHall(10);
    const said = outcomes(await all(...guests(60).map((guest) => [take(guest)] as const)));
    expect(said).toEqual([...guests(9).map(() => 'yes'), ...guests(51).map(() => 'full'), 'yes']);
    expect(calls).toEqual({ appends: 3, reads: 1 });
  });

  it('may free and take seats in one append; the commands of one call are all executed or all refused', async () => {
    const { halls, all } = await busyHall(2);
    const said = await all(
      [take('ada')],
      [take('bob')],
      [[leave('ada'), take('cyd')]],
      [[take('dan'), take('eve')]],
      [leave('eve')],
    );
    expect(outcomes(said)).toEqual(['yes', 'full', 'yes', 'full', 'not-here', 'yes']);
    expect(await halls.query(stream, ({ state }) => Object.keys(state.taken))).toEqual(['first', 'cyd']);
  });

  it('execute each command id once, within one append and across two appends', async () => {
    const { log, halls, all } = await busyHall(9);
    const { command } = envelopeOf();
    const again: [HallCommand, Partial<Envelope>] = [bulge(1), { command }];
    const [one, other] = await all(again, again, [take('bob')]);
    expect([one, other]).toMatchObject([{ value: { revision: 2 } }, { value: { revision: 2, repeated: true } }]);
    void halls.execute(stream, take('cyd'), envelopeOf());
    const [third] = await all(again, [take('dan')], [take('eve')]);
    expect(third).toMatchObject({ value: { revision: 2, repeated: true } });
    expect(await eventsOf(log, stream)).toHaveLength(7);
  });

  it('are refused if the stream no longer has the revision that the caller expects', async () => {
    const { all } = await busyHall(9);
    const [one, other] = await all([take('ada'), { expected: 1 }], [take('bob'), { expected: 1 }]);
    expect([one, other]).toMatchObject([{ status: 'fulfilled' }, { reason: { name: 'RevisionMismatch', actual: 2 } }]);
  });

  it('append events whose moments never decrease', async () => {
    const { log, all } = await busyHall(9);
    const moments = ['2026-11-21T12:00:02.000Z', '2026-11-21T12:00:01.000Z', '2026-11-21T12:00:03.000Z'];
    await all(...moments.map((at) => [take(at), { at }] as const));
    const stored = (await eventsOf(log, stream)).map(({ metadata }) => (metadata as Envelope).at);
    expect(stored).toEqual([noon, noon, moments[0], moments[0], moments[2]]);
  });

  it('leave the same state in the cache that a new read of the stream gives', async () => {
    const { log, halls, all } = await busyHall(99);
    const texts = guests(5).map((text) => [{ type: 'Note', data: { notes: [{ text }] } }] as [HallCommand]);
    const receipts = await all(...texts);
    const [cached, read] = await Promise.all(
      [halls, aggregates(log, hall)].map((either) =>
        either.query(stream, ({ state, at }) => JSON.stringify([state, at])),
      ),
    );
    expect(cached).toBe(read);
    const returned = receipts.flatMap((one) => (one.status === 'fulfilled' ? one.value.events : []));
    const stored = (await eventsOf(log, stream)).slice(1).map(({ type, data }) => ({ type, data }));
    // The receipt of the first guest is the last entry of `all`.
    expect([returned.at(-1), ...returned.slice(0, -1)]).toEqual(stored);
  });
});

describe('Failure of a shared append', () => {
  /** Loses the answer to the third append, which is the shared append. */
  const losing = (isWritten: boolean) => {
    let appends = 0;
    return (log: EventLog) =>
      logWith(log, {
        append: async (...args) => {
          appends += 1;
          if (appends !== 3) return log.append(...args);
          if (isWritten) await log.append(...args);
          throw noAnswer();
        },
      });
  };

  it('causes no error if the log contains the events: the callers get receipts', async () => {
    const { log, all } = await busyHall(9, losing(true));
    const settled = await all([take('ada')], [take('bob')]);
    expect(settled.map((one) => one.status === 'fulfilled' && one.value.revision)).toEqual([2, 3, 1]);
    expect(await verifyChain(await eventsOf(log, stream))).toMatchObject({ ok: true, events: 4 });
  });

  it('leaves the outcome of all its commands unknown if the log does not contain the events', async () => {
    const { halls, all } = await busyHall(9, losing(false));
    expect(outcomes(await all([take('ada')], [take('bob')]))).toEqual(['unavailable', 'unavailable', 'yes']);
    expect(await halls.execute(stream, take('ada'), envelopeOf())).toMatchObject({ revision: 2 });
  });

  it('is reported only to the caller whose command caused the failure', async () => {
    const { all } = await busyHall(9);
    const broken = { type: 'Take', data: null } as unknown as HallCommand;
    const notJson = { type: 'Note', data: { notes: [{ text: '\ud800' }] } } as HallCommand;
    const said = outcomes(await all([take('ada')], [broken], [take('bob')], [notJson], [take('cyd')]));
    expect(said).toEqual(['yes', 'TypeError', 'yes', 'invalid', 'yes', 'yes']);
  });

  it('makes each command append alone if the shared append is too large', async () => {
    const { log, calls, all } = await busyHall(9);
    const said = outcomes(await all(...guests(15).map(() => [bulge(100_000)] as const), [bulge(2_000_000)]));
    expect(said).toEqual([...guests(15).map(() => 'yes'), 'too-large', 'yes']);
    expect(await eventsOf(log, stream)).toHaveLength(17);
    expect(calls.appends).toBe(2 + 1 + 16); // two before the batch, the shared append, and one for each command
  });
});
