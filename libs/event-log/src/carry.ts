import { createHash, type Hash } from 'node:crypto';
import { canonicalText } from './canonical';
import { LogError } from './errors';
import type { EventLog, NewEvent, StoredEvent } from './port';

/** What a whole log amounts to: equal sums mean the same events at the same revisions of the same streams. */
export type Sum = Readonly<{ events: number; streams: number; hash: string }>;

/** A line of a carried log is no event, or not the one that belongs there. */
export class NotCarried extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NotCarried';
  }
}

/** The stream in which a server keeps its own identity: it stays where it is. */
const OWN = 'charter-store';
const FORMAT = { charter: 'events', version: 1 };

/** A whole log as lines of JSON, in the order of the log: what it is, each event, and what it amounts to. */
export async function* linesOf(log: EventLog, at: string): AsyncGenerator<string, Sum> {
  const tally = tallied();
  yield JSON.stringify({ ...FORMAT, store: await log.identity(), at });
  for await (const event of log.readAll()) {
    if (event.stream === OWN) continue;
    tally.add(event);
    const { stream, revision, id, type, data, metadata } = event;
    yield JSON.stringify({ stream, revision: String(revision), id, type, data, metadata });
  }
  const sum = tally.sum();
  yield JSON.stringify({ end: sum });
  return sum;
}

/** Reads all lines and believes them only as a whole. @throws NotCarried, with the number of the line */
export async function sumOfLines(lines: AsyncIterable<string>): Promise<Sum> {
  const tally = tallied();
  for await (const event of eventsIn(lines)) tally.add(event);
  return tally.sum();
}

/** What the log amounts to now. */
export async function sumOfLog(log: EventLog): Promise<Sum> {
  const tally = tallied();
  for await (const event of log.readAll()) if (event.stream !== OWN) tally.add(event);
  return tally.sum();
}

/**
 * Appends what the lines hold, with the same ids at the same revisions. What is there already is the same append and is not
 * written again, so it may be stopped and begun anew at any time.
 * @param onEvents is told how many events are in; it may end the work by throwing
 * @throws Conflict where the log holds something else
 */
export async function carryInto(
  log: EventLog,
  lines: AsyncIterable<string>,
  onEvents: (events: number) => void,
): Promise<void> {
  let done = 0;
  for await (const { stream, first, events } of batchesOf(eventsIn(lines))) {
    await log.append(stream, events, { expected: first === 0n ? 'no_stream' : first - 1n });
    done += events.length;
    onEvents(done);
  }
}

type Line = Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'type' | 'data' | 'metadata'> &
  Readonly<{ bytes: number }>;
type Batch = { stream: string; first: bigint; events: NewEvent[]; bytes: number };

/** Neighbours of one stream go together, as long as they are few and light. */
async function* batchesOf(events: AsyncIterable<Line>): AsyncGenerator<Batch> {
  let batch: Batch | undefined;
  for await (const { stream, revision, id, type, data, metadata, bytes } of events) {
    const fits = batch?.stream === stream && batch.events.length < EVENTS_MAX && batch.bytes + bytes < BYTES_MAX;
    if (batch && !fits) yield batch;
    if (!batch || !fits) batch = { stream, first: revision, events: [], bytes: 0 };
    batch.events.push({
      id,
      type,
      data: data as object,
      ...(metadata !== undefined && { metadata: metadata as object }),
    });
    batch.bytes += bytes;
  }
  if (batch) yield batch;
}

const EVENTS_MAX = 200;
const BYTES_MAX = 500_000;

/** The events of carried lines; every revision follows the one before it. Throws at the end if the sum is another one. */
async function* eventsIn(lines: AsyncIterable<string>): AsyncGenerator<Line> {
  const tally = tallied();
  const next = new Map<string, bigint>();
  let number = 0;
  let isOver = false;
  for await (const text of lines) {
    number += 1;
    const line = parsed(text, number);
    if (isOver) throw new NotCarried(`Line ${number} comes after the end.`);
    if (number === 1) {
      if (line['charter'] !== FORMAT.charter || line['version'] !== FORMAT.version)
        throw new NotCarried('This is no file of events that this version of Charter can read.');
    } else if ('end' in line) {
      isOver = true;
      if (canonicalText(line['end']) !== canonicalText(tally.sum()))
        throw new NotCarried('The events do not amount to what the last line says: the file was changed.');
    } else {
      const event = eventIn(line, text, number);
      if (event.revision !== (next.get(event.stream) ?? 0n))
        throw new NotCarried(`Line ${number} is not the next event of ${event.stream}.`);
      next.set(event.stream, event.revision + 1n);
      tally.add(event);
      yield event;
    }
  }
  if (!isOver) throw new NotCarried('The last line is missing: the file was cut off.');
}

function parsed(text: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === 'object' && line !== null) return line as Readonly<Record<string, unknown>>;
  } catch {
    // is told below
  }
  throw new NotCarried(`Line ${number} is not JSON.`);
}

function eventIn(line: Readonly<Record<string, unknown>>, text: string, number: number): Line {
  const { stream, revision, id, type, data, metadata } = line;
  const isEvent =
    typeof stream === 'string' && typeof id === 'string' && typeof type === 'string' && typeof data === 'object';
  if (!isEvent || typeof revision !== 'string' || !/^\d{1,19}$/.test(revision))
    throw new NotCarried(`Line ${number} is no event.`);
  return { stream, revision: BigInt(revision), id, type, data, metadata, bytes: Buffer.byteLength(text) };
}

/** Adds up events, stream by stream: the order of streams among each other does not count. */
function tallied() {
  const streams = new Map<string, { hash: Hash; last: bigint }>();
  let events = 0;
  return {
    add: ({ stream, revision, id, type, data, metadata }: Omit<Line, 'bytes'>) => {
      const known = streams.get(stream) ?? { hash: createHash('sha256'), last: -1n };
      if (revision !== known.last + 1n)
        throw new LogError('internal', `Event ${known.last + 1n} of ${stream} is missing.`);
      known.hash.update(`${canonicalText({ id, type, data, ...(metadata !== undefined && { metadata }) })}\n`);
      known.last = revision;
      streams.set(stream, known);
      events += 1;
    },
    sum: (): Sum => {
      const hash = createHash('sha256');
      for (const name of [...streams.keys()].sort()) {
        const { hash: of, last } = streams.get(name)!;
        hash.update(`${name} ${last} ${of.copy().digest('hex')}\n`);
      }
      return { events, streams: streams.size, hash: hash.digest('hex') };
    },
  };
}
