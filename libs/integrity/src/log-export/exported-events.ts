import { verifiedCheckpoint, streamExportEvents, isStreamExport } from '../stream-export';
import {
  type ExportedEvent,
  type ExportSummary,
  type ExportLine,
  ImportRefused,
  lineRefused,
  parseLine,
  NOT_CANONICAL,
} from './export-format';
import { type Chain, chainFrom } from '../chain';
import { ALL_STREAMS, rootOf } from '../signed-checkpoint';
import { type LogChecksum, checksumBuilder } from './log-checksum';

/** The fields that name the file format, in the first line of the export of a whole log. */
export const LOG_EXPORT_FORMAT = { charter: 'events', version: 1 };

/**
 * Reads the events of a file, which contains a whole log or one organization. Verifies the hash chain event by event,
 * and then compares the summary on the last line with all events.
 * @throws ImportRefused with the line and the reason if any check fails
 */
export async function* exportedEvents(
  lines: AsyncIterable<string>,
): AsyncGenerator<ExportedEvent, ExportSummary, undefined> {
  const reading = lines[Symbol.asyncIterator]();
  const first = await reading.next();
  if (first.done === true) throw new ImportRefused('The file is empty.');
  const all = prepend(first.value, reading);
  return yield* isStreamExport(parseLine(first.value, 1)) ? streamExportEvents(all) : eventsOfAll(all);
}

async function* prepend(first: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** Reads the events and the summary in the export of a whole log. Keeps only a few values for each stream in memory. */
async function* eventsOfAll(lines: AsyncIterable<string>): AsyncGenerator<ExportedEvent, ExportSummary, undefined> {
  const checksum = checksumBuilder();
  const chains = new Map<string, Chain>();
  let number = 0;
  let first: First | undefined;
  let closing: ExportSummary | undefined;
  for await (const text of lines) {
    number += 1;
    const line = parseLine(text, number);
    if (closing) throw lineRefused('it comes after the end', number);
    if (!first) first = beginning(line, text);
    else if ('end' in line) closing = ending(line, text, number, { first, sum: checksum.sum(), chains });
    else {
      const event = eventIn(line, text, number);
      const { stream } = event;
      const chain = chains.get(stream) ?? chainFrom(stream);
      const reason = chain.follow(event);
      if (reason !== undefined) throw lineRefused(reason, number, { stream, at: Number(event.revision) });
      chains.set(stream, chain);
      checksum.add(event);
      yield event;
    }
  }
  if (closing) return closing;
  const reason = 'the last line is missing: the file was cut off';
  throw new ImportRefused(`The file was cut off after line ${number}.`, { line: number + 1, reason });
}

/** The store and the moment that the first line names. */
type First = Readonly<{ store: string; at: string }>;

function beginning(line: ExportLine, text: string): First {
  const { charter, version, store, at } = line;
  if (charter !== LOG_EXPORT_FORMAT.charter || version !== LOG_EXPORT_FORMAT.version)
    throw new ImportRefused('This is not a file of events that this version of Charter can read.', {
      line: 1,
      reason: 'it does not begin as a file of events that this version of Charter can read',
    });
  if (
    typeof store !== 'string' ||
    typeof at !== 'string' ||
    JSON.stringify({ ...LOG_EXPORT_FORMAT, store, at }) !== text
  )
    throw lineRefused(NOT_CANONICAL, 1);
  return { store, at };
}

function eventIn(line: ExportLine, text: string, number: number): ExportedEvent {
  const { stream, revision, id, type, data, metadata } = line;
  const isEvent =
    typeof stream === 'string' &&
    typeof id === 'string' &&
    typeof type === 'string' &&
    typeof data === 'object' &&
    data !== null;
  if (!isEvent || typeof revision !== 'string' || !/^(0|[1-9]\d{0,18})$/.test(revision))
    throw lineRefused('it is no event', number);
  if (textOf({ stream, revision, id, type, data, metadata }) !== text)
    throw lineRefused(NOT_CANONICAL, number, { stream, at: Number(revision) });
  return { stream, revision: BigInt(revision), id, type, data, metadata, bytes: Buffer.byteLength(text) };
}

type Found = Readonly<{ first: First; sum: LogChecksum; chains: ReadonlyMap<string, Chain> }>;

/**
 * Verifies the last line: the checksum of all events and, in a signed file, a checkpoint over the heads of all streams.
 */
function ending(line: ExportLine, text: string, number: number, { first, sum, chains }: Found): ExportSummary {
  if (textOf(line['end']) !== textOf(sum))
    throw lineRefused('the events before it do not match its checksum: the file was changed', number);
  const { checkpoint: note, key } = line as Readonly<{ checkpoint?: string; key?: string }>;
  if (textOf({ end: sum, checkpoint: note, key }) !== text) throw lineRefused(NOT_CANONICAL, number);
  const whole = { events: sum.events, streams: sum.streams, head: sum.hash };
  if (note === undefined && key === undefined) return { ...whole, signed: undefined };
  if (typeof note !== 'string' || typeof key !== 'string') throw lineRefused('it is no signed checkpoint', number);
  const checkpoint = verifiedCheckpoint(note, key, number);
  const heads = [...chains.keys()].sort().map((stream) => ({ stream, head: chains.get(stream)!.head() }));
  const { store, at, covers, events, root } = checkpoint;
  if (store !== first.store || at !== first.at || covers !== ALL_STREAMS)
    throw lineRefused('the checkpoint does not match what the first line says', number);
  if (events !== sum.events || root !== rootOf(heads))
    throw lineRefused('the checkpoint was signed over other events', number);
  return { ...whole, signed: { checkpoint, key } };
}

/** The text that Charter writes for a value; `undefined` if the value has more levels than Charter can write. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
