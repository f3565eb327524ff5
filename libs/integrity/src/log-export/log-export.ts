import { assertAllSignedEventsExist, BrokenChain } from '../chain-errors';
import { canonicalText } from '../canonical';
import { type ExportedEvent, type ExportSummary, ImportRefused } from './export-format';
import { exportedEvents, LOG_EXPORT_FORMAT } from './exported-events';
import { type Chain, chainFrom, type SignedEnd } from '../chain';
import { ALL_STREAMS, type StreamHead, rootOf, signCheckpoint } from '../signed-checkpoint';
import {
  type EventLog,
  type NewEvent,
  EMPTY_LOG_POSITION,
  type Position,
  type TransactionLimits,
} from '@charter/event-log';
import type { Signer } from '../signed-note';
import { type LogChecksum, checksumBuilder } from './log-checksum';

/** The stream in which an event store keeps its identity; exports leave it out. */
const OWN = 'charter-store';

type Whole = Readonly<{
  onEvent?: (events: number, position: Position) => void;
  /** The last signature over the log's first events: their number, their root, and the signed heads. */
  signed?: Readonly<{ events: number; root: string; heads: () => AsyncIterable<StreamHead & SignedEnd> }> | undefined;
  /**
   * Called before the export is signed. Receives `eventsOf`, which returns the number of exported events of a stream.
   * Throws if the log has lost events that it once contained.
   */
  mustBeWhole?: (eventsOf: (stream: string) => number) => Promise<void>;
}>;

/**
 * Exports a whole log as JSON lines in the order of the log. The first line names the format. Each event has one line.
 * The last line contains the checksum and a signed checkpoint. Keeps only a hash and a number for each stream in
 * memory.
 * @throws BrokenChain if a chain is broken or differs from `signed`; the error of `mustBeWhole`
 */
export async function* exportLog(
  log: EventLog,
  signer: Signer,
  at: string,
  { onEvent = () => undefined, signed, mustBeWhole }: Whole = {},
): AsyncGenerator<string, LogChecksum> {
  const checksum = checksumBuilder();
  const chains = new Map<string, Chain>();
  const root = () => rootOf([...chains.keys()].sort().map((stream) => ({ stream, head: chains.get(stream)!.head() })));
  const store = await log.identity();
  let position = EMPTY_LOG_POSITION;
  yield JSON.stringify({ ...LOG_EXPORT_FORMAT, store, at });
  for await (const event of log.readAll()) {
    const { stream, revision, id, type, data, metadata } = event;
    // This loop does not use `eventsOf`, so that a comparison with `checksumOfLog` finds mistakes of `eventsOf`.
    if (stream === OWN) continue;
    const chain = chains.get(stream) ?? chainFrom(stream);
    const reason = chain.follow(event);
    if (reason !== undefined) throw new BrokenChain(stream, Number(revision), reason);
    chains.set(stream, chain);
    checksum.add(event);
    if (checksum.events() === signed?.events && root() !== signed.root)
      await assertAllSignedEventsExist(log, signed.heads());
    position = event.position;
    onEvent(checksum.events(), position);
    yield JSON.stringify({ stream, revision: String(revision), id, type, data, metadata });
  }
  if (signed && checksum.events() < signed.events) await assertAllSignedEventsExist(log, signed.heads());
  await mustBeWhole?.((stream) => chains.get(stream)?.events() ?? 0);
  const sum = checksum.sum();
  const checkpoint = { store, events: sum.events, root: root(), covers: ALL_STREAMS, position, at };
  yield JSON.stringify({ end: sum, checkpoint: signCheckpoint(checkpoint, signer), key: signer.verifierKey });
  return sum;
}

/** Reads and verifies all lines; returns the summary. @throws ImportRefused with the number of the wrong line */
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

/** Returns the summary of a file, and the checksum of a log that contains exactly the file's events. */
export async function checksumOfExport(
  lines: AsyncIterable<string>,
): Promise<ExportSummary & Readonly<{ sum: LogChecksum }>> {
  const checksum = checksumBuilder();
  const closing = await readExportSummary(lines, checksum.add);
  return { ...closing, sum: checksum.sum() };
}

/** Computes the checksum of all events that are now in the log. */
export async function checksumOfLog(
  log: EventLog,
  onEvents: (events: number) => void = () => undefined,
): Promise<LogChecksum> {
  const checksum = checksumBuilder();
  for await (const event of eventsOf(log)) {
    checksum.add(event);
    onEvents(checksum.events());
  }
  return checksum.sum();
}

/**
 * Counts the events of the file that the log already contains: none in an empty log, some after an interrupted import.
 * The count prevents an import from mixing two histories.
 * @throws ImportRefused if the log contains other events, or the same events in another order
 */
export async function countImported(log: EventLog, lines: AsyncIterable<string>): Promise<number> {
  const expected: AsyncIterator<ExportedEvent> = exportedEvents(lines);
  let count = 0;
  try {
    for await (const event of eventsOf(log)) {
      const step = await expected.next();
      if (step.done === true || textOf(step.value) !== textOf(event))
        throw new ImportRefused(
          `The log already contains other events: event ${event.revision} of ${event.stream}. Import a whole log into an ` +
            'empty log, or repeat an interrupted import of the same file.',
        );
      count += 1;
    }
  } finally {
    await expected.return?.();
  }
  return count;
}

export type ImportOptions = Readonly<{
  /** The number of the file's events that the log already contains. */
  already: number;
  /** Called with the number of events imported so far; the function may throw an error to end the import. */
  onEvents: (events: number) => void;
}>;

/**
 * Appends the events of the lines in order, with their ids and revisions. Because of the ids and revisions, a repeated
 * import can skip the events that the log already contains. If an append fails, the log must not contain events of a
 * later append. So the function sends only appends of one transaction together.
 * @throws Conflict if another process writes to the log meanwhile
 */
export async function importLog(log: EventLog, lines: AsyncIterable<string>, options: ImportOptions): Promise<void> {
  const { already, onEvents } = options;
  const append = ({ stream, first, events }: Batch) =>
    log.append(stream, events, { expected: first === 0n ? 'no_stream' : first - 1n });
  let done = already;
  const batches = batchesOf(after(already, exportedEvents(lines)));
  for await (const group of groupsOf(batches, log.transaction ?? ONE_APPEND)) {
    await Promise.all(group.map(append));
    done = group.reduce((sum, { events }) => sum + events.length, done);
    onEvents(done);
  }
}

const ONE_APPEND: TransactionLimits = { appends: 1, events: Infinity, bytes: Infinity };

/** All events except the event with the store's identity, for the comparison with an export. */
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

/**
 * Joins consecutive events of one stream into one append. Each append has a maximum number of events and a maximum
 * size.
 */
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

/** Joins consecutive appends that fit into one transaction. */
async function* groupsOf(batches: AsyncIterable<Batch>, most: TransactionLimits): AsyncGenerator<readonly Batch[]> {
  let group: Batch[] = [];
  let [events, bytes] = [0, 0];
  for await (const batch of batches) {
    events += batch.events.length;
    bytes += batch.bytes;
    if (group.length > 0 && (group.length === most.appends || events > most.events || bytes > most.bytes)) {
      yield group;
      group = [];
      [events, bytes] = [batch.events.length, batch.bytes];
    }
    group.push(batch);
  }
  if (group.length > 0) yield group;
}

const EVENTS_MAX = 200;
const BYTES_MAX = 500_000;
