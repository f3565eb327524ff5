import { randomUUID } from 'node:crypto';
import { carryInto, linesOf, NotCarried, sumOfLines, sumOfLog } from './carry';
import { MemoryLog } from './memory';
import type { EventLog } from './port';

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
    await carryInto(other, from(lines), () => undefined);
    expect(await streamsOf(other)).toEqual(await streamsOf(log));
    expect(await sumOfLog(other)).toEqual(await sumOfLog(log));
    expect(await sumOfLines(from(lines))).toEqual(await sumOfLog(log));
  });

  it('may be stopped and carried again: nothing is written twice', async () => {
    const [log, other] = [await filled(), new MemoryLog()];
    const lines = await carried(log);
    const stop = () => {
      throw new Error('Stopped.');
    };
    await expect(carryInto(other, from(lines), stop)).rejects.toThrow('Stopped.');
    expect(await streamsOf(other)).toHaveLength(2);
    await carryInto(other, from(lines), () => undefined);
    await carryInto(other, from(lines), () => undefined);
    expect(await sumOfLog(other)).toEqual(await sumOfLog(log));
  });

  it('is refused where something else lies already', async () => {
    const [log, other] = [await filled(), new MemoryLog()];
    await other.append('account-a', [{ id: randomUUID(), type: 'Noted', data: {} }], { expected: 'no_stream' });
    await expect(carryInto(other, from(await carried(log)), () => undefined)).rejects.toMatchObject({
      kind: 'conflict',
    });
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
