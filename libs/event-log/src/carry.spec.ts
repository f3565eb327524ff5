import { randomUUID } from 'node:crypto';
import { NotCarried } from './carried-lines';
import { carriedAlready, carryInto, linesOf, sumOfLines, sumOfLog } from './carry';
import { MemoryLog } from './memory';
import type { EventLog, NewEvent } from './port';

const at = '2026-11-21T12:00:00.000Z';

async function filled(): Promise<EventLog> {
  const log = new MemoryLog();
  const event = (text: string) => ({ id: randomUUID(), type: 'Noted', data: { text, é: [1, null] } });
  await log.append('organization-b', [event('1'), { ...event('2'), metadata: {} }], { expected: 'no_stream' });
  await log.append('account-a', [{ ...event('3'), metadata: { by: 'ada' } }], { expected: 'no_stream' });
  await log.append('organization-b', [event('4')], { expected: 1n });
  await log.append('charter-store', [event('5')], { expected: 'no_stream' });
  return log;
}

async function carried(log: EventLog): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(log, at)) lines.push(line);
  return lines;
}

async function* from(lines: readonly string[]) {
  yield* lines;
}

/** As the command line does it: what is in already is passed over. */
async function carriedInto(
  log: EventLog,
  lines: readonly string[],
  onEvents: (events: number) => void = () => undefined,
) {
  const already = await carriedAlready(log, from(lines));
  await carryInto(log, from(lines), { already, atOnce: 1, onEvents });
}

async function streamsOf(log: EventLog) {
  const found = [];
  for await (const { stream, revision, id, type, data, metadata } of log.readAll())
    found.push({ stream, revision, id, type, data, metadata });
  return found.filter(({ stream }) => stream !== 'charter-store');
}

describe('a log that is carried into another one', () => {
  it('is the same there, event for event, but for the identity of its store', async () => {
    const [log, other] = [await filled(), new MemoryLog()];
    const lines = await carried(log);
    expect(lines).toHaveLength(6);
    await carriedInto(other, lines);
    expect(await streamsOf(other)).toEqual(await streamsOf(log));
    expect(await sumOfLog(other)).toEqual(await sumOfLog(log));
    expect(await sumOfLines(from(lines))).toEqual(await sumOfLog(log));
  });

  it('may be stopped after every append and carried again: nothing is written twice', async () => {
    const [log, other] = [await filled(), new MemoryLog()];
    const lines = await carried(log);
    const stop = () => {
      throw new Error('Stopped.');
    };
    for (const there of [2, 3, 4]) {
      await expect(carriedInto(other, lines, stop)).rejects.toThrow('Stopped.');
      expect(await streamsOf(other)).toHaveLength(there);
    }
    await carriedInto(other, lines);
    await carriedInto(other, lines);
    expect(await sumOfLog(other)).toEqual(await sumOfLog(log));
    expect(await streamsOf(other)).toEqual(await streamsOf(log));
  });

  it('is not believed when two of its lines have changed places', async () => {
    const lines = await carried(await filled());
    [lines[2], lines[3]] = [lines[3]!, lines[2]!]; // of two streams, so that each is as it was
    await expect(sumOfLines(from(lines))).rejects.toThrow(NotCarried);
  });

  it('goes there many at a time where the log keeps their order', async () => {
    const log = new MemoryLog();
    for (let index = 0; index < 100; index += 1)
      await log.append(`organization-${index}`, [{ id: randomUUID(), type: 'Noted', data: { index } }], {
        expected: 'no_stream',
      });
    const other = new MemoryLog();
    const told: number[] = [];
    const onEvents = (events: number) => void told.push(events);
    await carryInto(other, from(await carried(log)), { already: 0, atOnce: 16, onEvents });
    expect(await streamsOf(other)).toEqual(await streamsOf(log));
    expect(told.at(-1)).toBe(100);
  });

  it.each<[string, (other: EventLog, lines: readonly string[]) => Promise<unknown>]>([
    [
      'another event',
      (other) => other.append('account-a', [{ id: randomUUID(), type: 'Noted', data: {} }], { expected: 'no_stream' }),
    ],
    [
      'an event of the same id and other content',
      (other, [, first]) => {
        const event = { ...(JSON.parse(first!) as NewEvent), data: {} };
        return other.append('organization-b', [event], { expected: 'no_stream' });
      },
    ],
    [
      'an event beside all of them',
      async (other, lines) => {
        await carriedInto(other, lines);
        await other.append('organization-z', [{ id: randomUUID(), type: 'Noted', data: {} }], {
          expected: 'no_stream',
        });
      },
    ],
  ])('is refused where the log holds %s, and nothing is written', async (_, write) => {
    const [log, other] = [await filled(), new MemoryLog()];
    const lines = await carried(log);
    await write(other, lines);
    const before = await sumOfLog(other);
    await expect(carriedInto(other, lines)).rejects.toThrow(/holds something else already: event 0 of/);
    expect(await sumOfLog(other)).toEqual(before);
  });

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    ['cut off', (lines) => lines.slice(0, -1), /cut off/],
    ['without its beginning', (lines) => lines.slice(1), /can read/],
    ['of a later version', ([first, ...rest]) => [first!.replace('"version":1', '"version":2'), ...rest], /can read/],
    ['missing an event', (lines) => lines.toSpliced(1, 1), /Line 2 is not the next event of organization-b/],
    ['with a changed event', (lines) => lines.with(2, lines[2]!.replace('"2"', '"two"')), /was changed/],
    ['with another line', (lines) => lines.with(2, '{"stream":7}'), /Line 3 is no event/],
    ['with half a line', (lines) => lines.with(2, lines[2]!.slice(0, 20)), /Line 3 is not JSON/],
    ['with something behind its end', (lines) => [...lines, lines[1]!], /after the end/],
  ])('is not believed %s', async (_, change, why) => {
    const lines = change(await carried(await filled()));
    const failure = await sumOfLines(from(lines)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NotCarried);
    expect((failure as NotCarried).message).toMatch(why);
  });
});
