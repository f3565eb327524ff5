import { assertAllSignedEventsExist, BrokenChain } from '../chain-errors';
import { canonicalText } from '../canonical';
import { type ExportedEvent, type ExportSummary, ImportRefused } from './export-format';
import { exportedEvents, LOG_EXPORT_FORMAT } from './exported-events';
import { type Chain, chainFrom, type SignedEnd } from '../chain';
import { ALL_STREAMS, type StreamHead, rootOf, signCheckpoint } from '../signed-checkpoint';
import { type EventLog, type NewEvent, EMPTY_LOG_POSITION, type Position } from '@charter/event-log';
import type { Signer } from '../signed-note';
import { type LogChecksum, checksumBuilder } from './log-checksum';

/** The stream in which a server keeps its own identity: it stays where it is. */
const OWN = 'charter-store';

type Whole = Readonly<{
  onEvent?: (events: number, position: Position) => void;
  /** What was signed last of so many events from the beginning of the log on, in whichever store they lay. */
  signed?: Readonly<{ events: number; root: string; heads: () => AsyncIterable<StreamHead & SignedEnd> }> | undefined;
  /** Asked before the whole is signed, with how many events were read of each stream; it throws where some are missing. */
  mustBeWhole?: (eventsOf: (stream: string) => number) => Promise<void>;
}>;

/**
 * A whole log as lines of JSON, in the order of the log: what it is, each event, and what it amounts to, signed. Memory: a few
 * words for each stream.
 * @throws Broken where a chain does not hold, or is not what was signed; what `mustBeWhole` throws
 */
export async function* exportLog(
  log: EventLog,
  signer: Signer,
  at: string,
  { onEvent = () => undefined, signed, mustBeWhole }: Whole = {},
): AsyncGenerator<string, LogChecksum> {
  const tally = checksumBuilder();
  const chains = new Map<string, Chain>();
  const root = () => rootOf([...chains.keys()].sort().map((stream) => ({ stream, head: chains.get(stream)!.head() })));
  const store = await log.identity();
  let position = EMPTY_LOG_POSITION;
  yield JSON.stringify({ ...LOG_EXPORT_FORMAT, store, at });
  for await (const event of eventsOf(log)) {
    const { stream, revision, id, type, data, metadata } = event;
    const chain = chains.get(stream) ?? chainFrom(stream);
    const reason = chain.follow(event);
    if (reason !== undefined) throw new BrokenChain(stream, Number(revision), reason);
    chains.set(stream, chain);
    tally.add(event);
    if (tally.events() === signed?.events && root() !== signed.root)
      await assertAllSignedEventsExist(log, signed.heads());
    position = event.position;
    onEvent(tally.events(), position);
    yield JSON.stringify({ stream, revision: String(revision), id, type, data, metadata });
  }
  if (signed && tally.events() < signed.events) await assertAllSignedEventsExist(log, signed.heads());
  await mustBeWhole?.((stream) => chains.get(stream)?.events() ?? 0);
  const sum = tally.sum();
  const checkpoint = { store, events: sum.events, root: root(), covers: ALL_STREAMS, position, at };
  yield JSON.stringify({ end: sum, checkpoint: signCheckpoint(checkpoint, signer), key: signer.verifierKey });
  return sum;
}

/** Reads all lines and believes them only as a whole. @throws NotCarried, with the number of the line */
export async function readExportSummary(
  lines: AsyncIterable<string>,
  onEvent: (event: ExportedEvent) => void = () => undefined,
): Promise<ExportSummary> {
  const reading = exportedEvents(lines);
  for (;;) {
    const step = await reading.next();
    if (step.done === true) return step.value;
    onEvent(step.value);
  }
}

/** The same, and what a log amounts to that holds these events and no others. */
export async function checksumOfExport(
  lines: AsyncIterable<string>,
): Promise<ExportSummary & Readonly<{ sum: LogChecksum }>> {
  const tally = checksumBuilder();
  const closing = await readExportSummary(lines, tally.add);
  return { ...closing, sum: tally.sum() };
}

/** What the log amounts to now. */
export async function checksumOfLog(
  log: EventLog,
  onEvents: (events: number) => void = () => undefined,
): Promise<LogChecksum> {
  const tally = checksumBuilder();
  for await (const event of eventsOf(log)) {
    tally.add(event);
    onEvents(tally.events());
  }
  return tally.sum();
}

/**
 * How many events of the lines the log holds already: none in an empty one, some after an import that was interrupted.
 * @throws NotCarried when it holds anything else, or the same in another order: nothing is ever mixed
 */
export async function countImported(log: EventLog, lines: AsyncIterable<string>): Promise<number> {
  const expected: AsyncIterator<ExportedEvent> = exportedEvents(lines);
  let count = 0;
  try {
    for await (const event of eventsOf(log)) {
      const step = await expected.next();
      if (step.done === true || textOf(step.value) !== textOf(event))
        throw new ImportRefused(
          `The log holds something else already: event ${event.revision} of ${event.stream}. A whole log goes into an ` +
            'empty one, or on where an earlier import of the same file was interrupted.',
        );
      count += 1;
    }
  } finally {
    await expected.return?.();
  }
  return count;
}

export type ImportOptions = Readonly<{
  /** How many events at the beginning are in already. */
  already: number;
  /** Appends under way at once. More than one only where the log takes them in the order in which they are sent. */
  atOnce: number;
  /** Is told how many events are in; it may end the work by throwing. */
  onEvents: (events: number) => void;
}>;

/**
 * Appends what the lines hold, in their order, with the same ids at the same revisions: it may be stopped and begun anew at
 * any time. @throws Conflict where somebody else writes to the log meanwhile
 */
export async function importLog(log: EventLog, lines: AsyncIterable<string>, carrying: ImportOptions): Promise<void> {
  const { already, atOnce, onEvents } = carrying;
  const underWay: Promise<unknown>[] = [];
  let done = already;
  const settleOne = async () => {
    await underWay.shift();
    onEvents(done);
  };
  try {
    for await (const { stream, first, events } of batchesOf(after(already, exportedEvents(lines)))) {
      const append = log.append(stream, events, { expected: first === 0n ? 'no_stream' : first - 1n });
      append.catch(() => undefined); // told in its turn
      underWay.push(append);
      done += events.length;
      if (underWay.length >= atOnce) await settleOne();
    }
    while (underWay.length > 0) await settleOne();
  } finally {
    await Promise.allSettled(underWay);
  }
}

/** Everything that is Charter's in the log. */
async function* eventsOf(log: EventLog) {
  for await (const event of log.readAll()) if (event.stream !== OWN) yield event;
}

const textOf = ({ stream, revision, id, type, data, metadata }: Omit<ExportedEvent, 'bytes'>): string =>
  canonicalText({ stream, revision: String(revision), id, type, data, ...(metadata !== undefined && { metadata }) });

async function* after(count: number, events: AsyncIterable<ExportedEvent>): AsyncGenerator<ExportedEvent> {
  let passed = 0;
  for await (const event of events) if ((passed += 1) > count) yield event;
}

type Batch = { stream: string; first: bigint; events: NewEvent[]; bytes: number };

/** Neighbours of one stream go together, as long as they are few and light. */
async function* batchesOf(events: AsyncIterable<ExportedEvent>): AsyncGenerator<Batch> {
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
