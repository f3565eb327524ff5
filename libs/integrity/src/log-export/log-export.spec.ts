import { randomUUID } from 'node:crypto';
import { ImportRefused } from './export-format';
import { countImported, importLog, readExportSummary, exportLog, checksumOfExport, checksumOfLog } from './log-export';
import { ZERO_HASH, sealEvents } from '../chain';
import { LogError, MemoryLog } from '@charter/event-log';
import type { EventLog, NewEvent } from '@charter/event-log';
import { signerOf } from '../signed-note';

const at = '2026-11-21T12:00:00.000Z';

const signer = signerOf('charter', Buffer.alloc(32, 1));

/** Appends events to a stream. */
async function noted(log: EventLog, stream: string, ...texts: readonly string[]) {
  let end = { revision: -1, hash: ZERO_HASH, at };
  try {
    for await (const { revision, metadata } of log.readStream(stream))
      end = { ...end, revision: Number(revision), hash: (metadata as { hash: string }).hash };
  } catch {
    // the stream does not exist yet, so its revisions begin at 0
  }
  const events = sealEvents(
    texts.map((text) => ({ type: 'Noted', data: { text, é: [1, null] } })),
    stream,
    end,
    { command: randomUUID(), correlation: 'c', causation: 'c', actor: { kind: 'system', id: 's', powers: [] }, at },
  );
  await log.append(stream, events, { expected: end.revision < 0 ? 'no_stream' : BigInt(end.revision) });
}

async function filled(): Promise<EventLog> {
  const log = new MemoryLog();
  await noted(log, 'organization-b', '1', '2');
  await noted(log, 'account-a', '3');
  await noted(log, 'organization-b', '4');
  await log.append('charter-store', [{ id: randomUUID(), type: 'Made', data: {} }], { expected: 'no_stream' });
  return log;
}

async function withStreams(count: number): Promise<EventLog> {
  const log = new MemoryLog();
  for (let index = 0; index < count; index += 1) await noted(log, `organization-${index}`, String(index));
  return log;
}

async function exportedLines(log: EventLog): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLog(log, signer, at)) lines.push(line);
  return lines;
}

async function* from(lines: readonly string[]) {
  yield* lines;
}

/** Imports as the command line does: it skips the events that the log already contains. */
async function importInto(
  log: EventLog,
  lines: readonly string[],
  onEvents: (events: number) => void = () => undefined,
) {
  const already = await countImported(log, from(lines));
  await importLog(log, from(lines), { already, onEvents });
}

async function streamsOf(log: EventLog) {
  const found = [];
  for await (const { stream, revision, id, type, data, metadata } of log.readAll())
    found.push({ stream, revision, id, type, data, metadata });
  return found.filter(({ stream }) => stream !== 'charter-store');
}

describe('Exported log', () => {
  it('contains every event of all streams except `charter-store`, and matches the log from which it was made', async () => {
    const log = await filled();
    await noted(log, 'key-k', '5', '6');
    await noted(log, 'account-a', '7');
    await noted(log, 'subject-of-a-later-release', '8');
    const lines = await exportedLines(log);
    const exported = lines.slice(1, -1).map((line) => JSON.parse(line) as { stream: string; revision: string });
    const stored = await streamsOf(log);
    expect(exported.map(({ stream, revision }) => [stream, revision])).toEqual(
      stored.map(({ stream, revision }) => [stream, String(revision)]),
    );
    expect(stored).toHaveLength(8);
    expect((await checksumOfLog(log)).events).toBe(8);
    expect(await countImported(log, from(lines))).toBe(8);
    await expect(countImported(log, from(await exportedLines(await filled())))).rejects.toThrow(ImportRefused);
  });

  it('is not made if the hash chain of a stream is broken', async () => {
    const log = await filled();
    await log.append('account-a', [{ id: randomUUID(), type: 'Noted', data: {}, metadata: {} }], { expected: 0n });
    await expect(exportedLines(log)).rejects.toThrow(/chain of account-a is broken at revision 1/);
  });
});

describe('Import of an exported log', () => {
  it('writes equal events into another log', async () => {
    const [log, other] = [await filled(), new MemoryLog()];
    const lines = await exportedLines(log);
    expect(lines).toHaveLength(6);
    await importInto(other, lines);
    expect(await streamsOf(other)).toEqual(await streamsOf(log));
    expect(await checksumOfLog(other)).toEqual(await checksumOfLog(log));
    expect(await checksumOfExport(from(lines))).toMatchObject({
      sum: await checksumOfLog(log),
      signed: { key: signer.verifierKey },
    });
  });

  it('can be stopped after each append and repeated: the repeated import writes no event twice', async () => {
    const [log, other] = [await filled(), new MemoryLog()];
    const lines = await exportedLines(log);
    const stop = () => {
      throw new Error('Stopped.');
    };
    for (const there of [2, 3, 4]) {
      await expect(importInto(other, lines, stop)).rejects.toThrow('Stopped.');
      expect(await streamsOf(other)).toHaveLength(there);
    }
    await importInto(other, lines);
    await importInto(other, lines);
    expect(await checksumOfLog(other)).toEqual(await checksumOfLog(log));
    expect(await streamsOf(other)).toEqual(await streamsOf(log));
  });

  it('is refused if two lines of the file were exchanged', async () => {
    const lines = await exportedLines(await filled());
    // The two lines belong to different streams, so the order within each stream does not change.
    [lines[2], lines[3]] = [lines[3]!, lines[2]!];
    await expect(readExportSummary(from(lines))).rejects.toThrow(ImportRefused);
  });

  it('sends appends together, if the log writes them in one transaction', async () => {
    const log = await withStreams(100);
    const other = Object.assign(new MemoryLog(), { transaction: { appends: 16, events: 512, bytes: 4_000_000 } });
    const counts: number[] = [];
    await importLog(other, from(await exportedLines(log)), {
      already: 0,
      onEvents: (events) => void counts.push(events),
    });
    expect(await streamsOf(other)).toEqual(await streamsOf(log));
    expect(counts).toEqual([16, 32, 48, 64, 80, 96, 100]);
  });

  it.each([
    { appends: 4, events: 512, bytes: 4_000_000 },
    { appends: 64, events: 4, bytes: 4_000_000 },
    { appends: 64, events: 512, bytes: 2_000 },
  ])('continues after a transaction that failed on a full disk, with the limits %j', async (transaction) => {
    const log = await withStreams(40);
    const lines = await exportedLines(log);
    const other = new MemoryLog();
    let sent = 0;
    const isFull = () => (sent += 1) > 4 && sent <= 8;
    const append: EventLog['append'] = (...append) =>
      isFull() ? Promise.reject(new LogError('unavailable', 'The disk is full.')) : other.append(...append);
    const almostFull = Object.assign(Object.create(other) as EventLog, { transaction, append });

    await expect(importInto(almostFull, lines)).rejects.toThrow('The disk is full.');
    await importInto(other, lines);
    expect(await streamsOf(other)).toEqual(await streamsOf(log));
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
      'one more event after all events of the file',
      async (other, lines) => {
        await importInto(other, lines);
        await other.append('organization-z', [{ id: randomUUID(), type: 'Noted', data: {} }], {
          expected: 'no_stream',
        });
      },
    ],
  ])('is refused, and writes nothing, if the log contains %s', async (_, write) => {
    const [log, other] = [await filled(), new MemoryLog()];
    const lines = await exportedLines(log);
    await write(other, lines);
    const before = await checksumOfLog(other);
    await expect(importInto(other, lines)).rejects.toThrow(/already contains other events: event 0 of/);
    expect(await checksumOfLog(other)).toEqual(before);
  });

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    ['cut off', (lines) => lines.slice(0, -1), /cut off after line 5/],
    ['that is empty', () => [], /empty/],
    ['without its beginning', (lines) => lines.slice(1), /can read/],
    ['of a later version', ([first, ...rest]) => [first!.replace('"version":1', '"version":2'), ...rest], /can read/],
    [
      'that says another moment',
      (lines) => lines.with(0, lines[0]!.replace('T12', 'T13')),
      /Line 6: .* first line says/,
    ],
    ['from another store', (lines) => lines.with(0, lines[0]!.replace(/"store":"./, '"store":"z')), /first line says/],
    [
      'missing an event',
      (lines) => lines.toSpliced(1, 1),
      /Line 2, revision 1 of organization-b: revision 0 is missing/,
    ],
    ['with an event twice', (lines) => lines.toSpliced(2, 0, lines[1]!), /Line 3, .*revision 0 is repeated/],
    [
      'with a changed event',
      (lines) => lines.with(2, lines[2]!.replace('"2"', '"two"')),
      /Line 3, revision 1 .*hash does not match/,
    ],
    [
      'with a field name that appears twice',
      (lines) => lines.with(2, lines[2]!.replace('{', '{"stream":"x",')),
      /Line 3, .*a name twice/,
    ],
    ['with white space', (lines) => lines.with(2, `${lines[2]!} `), /Line 3, .*white space/],
    ['without its last event', (lines) => lines.toSpliced(4, 1), /Line 5: the events before it do not match/],
    ['with another line', (lines) => lines.with(2, '{"stream":7}'), /Line 3: it is no event/],
    ['with half a line', (lines) => lines.with(2, lines[2]!.slice(0, 20)), /Line 3: it is not JSON/],
    ['with a line after its last line', (lines) => [...lines, lines[1]!], /Line 7: it comes after the end/],
    ['with half a signature', (lines) => lines.with(5, lines[5]!.replace(/,"key":.*/, '}')), /Line 6: it is no signed/],
  ])('is refused for a file %s', async (_, change, why) => {
    const lines = change(await exportedLines(await filled()));
    const failure = await readExportSummary(from(lines)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ImportRefused);
    expect((failure as ImportRefused).message).toMatch(why);
  });

  it('accepts a file without a signature, because earlier versions of Charter wrote no signature', async () => {
    const lines = await exportedLines(await filled());
    const last = lines[5]!.replace(/,"checkpoint":.*/, '}');
    expect(await readExportSummary(from(lines.with(5, last)))).toMatchObject({
      events: 4,
      streams: 2,
      signed: undefined,
    });
  });

  it('is refused if the signature in the file belongs to another log', async () => {
    const [lines, others] = [await exportedLines(await filled()), await exportedLines(await filled())];
    const signed = (text: string) => JSON.parse(text) as { checkpoint: string };
    const exchanged = JSON.stringify({ ...signed(lines[5]!), checkpoint: signed(others[5]!).checkpoint });
    await expect(readExportSummary(from(lines.with(5, exchanged)))).rejects.toThrow(
      /Line 6: .* not match what the first line says/,
    );
  });
});

it('An export reads the signed heads only if the signed root does not match, or if the log has fewer events than were signed', async () => {
  const log = await filled();
  const closing = await readExportSummary(from(await exportedLines(log)));
  const { events, root } = closing.signed!.checkpoint;
  await noted(log, 'account-a', '5');
  const heads = jest.fn(async function* () {
    for (const stream of ['account-a', 'organization-b']) yield { stream, events: 1, head: await headAt(log, stream) };
  });
  const through = async (signed: { events: number; root: string }) => {
    for await (const line of exportLog(log, signer, at, { signed: { ...signed, heads } })) expect(line).toBeTruthy();
  };
  await through({ events, root });
  expect(heads).not.toHaveBeenCalled();
  await expect(through({ events, root: ZERO_HASH })).rejects.toThrow(
    /all streams.*not in the order in which they were signed/,
  );
  await expect(through({ events: 9, root })).rejects.toThrow(/signed/);
});

async function headAt(log: EventLog, stream: string): Promise<string> {
  for await (const { metadata } of log.readStream(stream, { maxCount: 1 })) return (metadata as { hash: string }).hash;
  throw new Error(`There is no ${stream}.`);
}
