import { hash as digest } from 'node:crypto';
import type { Metadata, Moment } from '@charter/decider';
import {
  type ExportedEvent,
  type ExportSummary,
  type ExportLine,
  ImportRefused,
  lineRefused,
  parseLine,
  NOT_CANONICAL,
} from './log-export/export-format';
import { canonicalJson } from './canonical';
import { chainFrom, type SignedEnd } from './chain';
import { openCheckpoint, rootOf, signCheckpoint, type SignedCheckpoint, sourceOf } from './signed-checkpoint';
import { BrokenChain, assertMatchesSigned, assertSignedEventExists, assertStreamReaches } from './chain-errors';
import { type EventLog, EMPTY_LOG_POSITION } from '@charter/event-log';
import { NoteRefused, type Signer, verifierOf } from './signed-note';

export type StreamExportSummary = Pick<ExportSummary, 'events' | 'streams' | 'head'>;

/**
 * Exports the history of one stream as JSON lines. Each event is a CloudEvent 1.0, whose `data` is the hashed object.
 * The last line contains a signed checkpoint. Each line is in canonical form (RFC 8785), so that a reader finds a
 * change of any byte. Keeps one page of the log in memory.
 * @param at the moment that the checkpoint names
 * @param signed the end of the stream at the last signature, which the stream must still contain
 * @param seen the number of events that the read model has folded
 * @throws BrokenChain if the chain is broken or differs from `signed`; LogError `not-found` for an unknown stream; the
 * reason of `gone`
 */
export async function* exportStream(
  log: Pick<EventLog, 'readStream' | 'identity'>,
  stream: string,
  signer: Signer,
  at: Moment,
  { gone, signed, seen = 0 }: Readonly<{ gone?: AbortSignal; signed?: SignedEnd | undefined; seen?: number }> = {},
): AsyncGenerator<string, StreamExportSummary, undefined> {
  if (signed) await assertSignedEventExists(log, stream, signed); // throws before the first line is sent
  await assertStreamReaches(log, stream, seen);
  const store = await log.identity();
  const chain = chainFrom(stream);
  let position = EMPTY_LOG_POSITION;
  for await (const event of log.readStream(stream)) {
    gone?.throwIfAborted();
    const reason = chain.follow(event);
    if (reason !== undefined) throw new BrokenChain(stream, Number(event.revision), reason);
    assertMatchesSigned(stream, chain, signed);
    position = event.position;
    yield canonicalJson(envelopeOf(event, store));
  }
  const [events, head] = [chain.events(), chain.head()];
  const checkpoint = { store, events, root: rootOf([{ stream, head }]), covers: stream, position, at };
  yield canonicalJson(closingOf(checkpoint, signCheckpoint(checkpoint, signer), signer.verifierKey));
  return { events, streams: 1, head };
}

/** Whether this first line begins the export of one stream. */
export const isStreamExport = (first: ExportLine): boolean => 'specversion' in first;

/**
 * Reads the events of an exported file. Compares each event with its hash, and all events with the checkpoint on the
 * last line.
 * @throws ImportRefused with the line, the revision and the reason if any check fails
 */
export async function* streamExportEvents(
  lines: AsyncIterable<string>,
): AsyncGenerator<ExportedEvent, ExportSummary, undefined> {
  const reading = { number: 0, closing: undefined as ExportSummary | undefined };
  let source: unknown;
  let chain: ReturnType<typeof chainFrom> | undefined;
  let stream = '';
  for await (const text of lines) {
    const number = (reading.number += 1);
    if (reading.closing) throw lineRefused('it comes after the checkpoint', number);
    const line = parseLine(text, number);
    if (line['type'] === CHECKPOINT && chain) {
      const { events, head } = { events: chain.events(), head: chain.head() };
      reading.closing = closingIn(line, text, number, { source, stream, events, head });
      continue;
    }
    const event = eventIn(line, text, number, source);
    source = line['source'];
    stream ||= event.stream;
    chain ??= chainFrom(stream);
    const reason = chain.follow(event);
    if (reason !== undefined) throw lineRefused(reason, number, { stream, at: Number(event.revision) });
    yield event;
  }
  if (reading.closing) return reading.closing;
  const cut = 'The last line is missing: the file was cut off';
  throw new ImportRefused(`${cut}, after ${chain?.events() ?? 0} events.`, {
    line: reading.number + 1,
    ...(chain && { stream, at: chain.events() }),
    reason: 'the checkpoint is missing: the file was cut off',
  });
}

const CHECKPOINT = 'charter.checkpoint';
const JSON_TYPE = 'application/json';

/** Returns an event as a CloudEvent. The fields `id`, `type`, `subject` and `time` repeat values from `data`. */
function envelopeOf(event: Omit<ExportedEvent, 'bytes'>, store: string) {
  const { stream, id, type, data, metadata } = event;
  const hashed = { stream, revision: Number(event.revision), id, type, data, metadata };
  const { at: time } = metadata as Metadata;
  return enveloped({ id, source: sourceOf(store), type, subject: stream, time, data: hashed });
}

/** Returns the last line as a CloudEvent, whose id is the hash of the signed note. */
const closingOf = ({ store, covers, at }: SignedCheckpoint, checkpoint: string, key: string) =>
  enveloped({
    id: digest('sha256', checkpoint),
    source: sourceOf(store),
    type: CHECKPOINT,
    subject: covers,
    time: at,
    data: { checkpoint, key },
  });

const enveloped = (fields: object) => ({ specversion: '1.0', datacontenttype: JSON_TYPE, ...fields });

/** @throws ImportRefused if the line is not an event, or if fields of the CloudEvent differ from its `data` */
function eventIn(line: ExportLine, text: string, number: number, source: unknown): ExportedEvent {
  const { stream, revision, id, type, data, metadata } = (line['data'] ?? {}) as ExportLine;
  const isEvent =
    [stream, id, type, line['source']].every((word) => typeof word === 'string') &&
    [data, metadata].every((part) => typeof part === 'object' && part !== null) &&
    Number.isSafeInteger(revision) &&
    (revision as number) >= 0;
  if (!isEvent) throw lineRefused('it is no event of an export', number);
  const where = { stream: stream as string, at: revision as number };
  const event = { ...(line['data'] as ExportedEvent), revision: BigInt(where.at) };
  const store = (line['source'] as string).replace(/^charter\//, '');
  if (line['source'] !== sourceOf(store) || (source !== undefined && line['source'] !== source))
    throw lineRefused('its source is not that of the events before it', number, where);
  assertLine(line, envelopeOf(event, store), text, number, where);
  return { ...event, bytes: Buffer.byteLength(text) };
}

/** The values computed from the events before the last line; the last line must contain the same values. */
type Sum = Readonly<{ source: unknown; stream: string; events: number; head: string }>;

/** @throws ImportRefused if the checkpoint is missing, has a wrong signature, or covers other events */
function closingIn(line: ExportLine, text: string, number: number, sum: Sum): ExportSummary {
  const { checkpoint: note, key } = (line['data'] ?? {}) as ExportLine;
  const { stream, events, head } = sum;
  const where = { stream, at: events };
  if (typeof note !== 'string' || typeof key !== 'string')
    throw lineRefused('it is no signed checkpoint', number, where);
  const checkpoint = verifiedCheckpoint(note, key, number);
  assertLine(line, closingOf(checkpoint, note, key), text, number, where);
  if (sourceOf(checkpoint.store) !== sum.source) throw lineRefused('the checkpoint is of another store', number, where);
  if (checkpoint.covers !== stream) throw lineRefused(`the checkpoint is about ${checkpoint.covers}`, number, where);
  if (checkpoint.events !== events)
    throw lineRefused(`the checkpoint covers ${checkpoint.events} events, the file has ${events}`, number, where);
  if (checkpoint.root !== rootOf([{ stream, head }]))
    throw lineRefused('the checkpoint was signed over other events', number, where);
  return { events, streams: 1, head, signed: { checkpoint, key } };
}

/** Verifies a note with the key that the same line contains. @throws ImportRefused */
export function verifiedCheckpoint(note: string, key: string, number: number): SignedCheckpoint {
  const verifier = orRefuseLine(() => verifierOf(key), 'the key of the checkpoint cannot be used', number);
  return orRefuseLine(() => openCheckpoint(note, verifier), 'the checkpoint cannot be verified', number);
}

/** The result of `open`. @throws ImportRefused with this reason if `open` refuses the note or the key */
function orRefuseLine<Opened>(open: () => Opened, reason: string, number: number): Opened {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof NoteRefused)) throw error;
    throw lineRefused(`${reason}: ${error.message.replace(/\.$/, '')}`, number);
  }
}

/** Refuses a line whose fields or text differ from the expected line. @throws ImportRefused */
function assertLine(
  line: ExportLine,
  expected: ExportLine,
  text: string,
  number: number,
  where: { stream: string; at: number },
): void {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(line)])].filter((name) => name !== 'data');
  const other = names.find((name) => line[name] !== expected[name]);
  if (other !== undefined) throw lineRefused(`the field ${other} contradicts the data in the same line`, number, where);
  if (textOf(expected) !== text) throw lineRefused(NOT_CANONICAL, number, where);
}

/** The canonical text of a value; `undefined` for a value without a canonical form, such as a lone surrogate. */
function textOf(value: ExportLine): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    return undefined;
  }
}
