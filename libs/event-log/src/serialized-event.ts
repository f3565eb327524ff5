import { LogError } from './errors';
import type { ExpectedRevision, NewEvent } from './port';

/** A checked and serialized event, in the form that adapters store. */
export type SerializedEvent = Readonly<{
  /** A UUID in lower case. */
  id: string;
  type: string;
  data: string;
  /** `null` if the event was written without metadata; empty metadata are `{}`. */
  metadata: string | null;
}>;

/** The maximum size of one append, as `eventBytes` counts: 1 MiB (`event-log.md` A6). */
export const APPEND_BYTES_MAX = 1_048_576;

/**
 * Checks every part of an append and serializes it before the adapter sends anything (`event-log.md` A6).
 * @throws LogError `invalid` or `too-large`
 */
export function serializeEvents(
  stream: string,
  events: readonly NewEvent[],
  expected: ExpectedRevision,
): readonly SerializedEvent[] {
  if (typeof expected === 'bigint' && !fitsIn64Bits(expected)) throw invalid(`${expected} is not a revision.`);
  if (!isStreamName(stream)) throw invalid(`'${stream}' cannot be the name of a stream.`);
  if (events.length === 0) throw invalid(`An append to ${stream} contains no events.`);

  const content = events.map(eventOf);
  const bytes = content.reduce((sum, event) => sum + eventBytes(event), 0);
  if (bytes > APPEND_BYTES_MAX) {
    throw new LogError('too-large', `An append to ${stream} has ${bytes} bytes; the maximum is ${APPEND_BYTES_MAX}.`);
  }
  return content;
}

/** The size of an event: the bytes of its data and metadata, and twice the length of its type. */
export const eventBytes = ({ type, data, metadata }: SerializedEvent) =>
  Buffer.byteLength(data) + (metadata === null ? 0 : Buffer.byteLength(metadata)) + 2 * type.length;

/** Whether a revision, or a position as a number, fits into 64 bits. */
export const fitsIn64Bits = (value: bigint) => value >= 0n && value < 2n ** 64n;

const isStreamName = (name: string) => name !== '' && !name.startsWith('$') && name.isWellFormed();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const zero = '00000000-0000-0000-0000-000000000000';

function eventOf({ id, type, data, metadata }: NewEvent): SerializedEvent {
  if (!uuid.test(id) || id === zero)
    throw invalid(`'${id}' cannot be the id of an event: it takes a UUID other than zero.`);
  if (type === '' || !type.isWellFormed()) throw invalid(`'${type}' cannot be the type of an event.`);
  return {
    id: id.toLowerCase(),
    type,
    data: jsonOf(data, `The data of ${type}`),
    metadata: metadata === undefined ? null : jsonOf(metadata, `The metadata of ${type}`),
  };
}

/**
 * The JSON text of a value. Parsing the text gives an equal value.
 * @throws LogError `invalid` if the parsed value would differ
 */
function jsonOf(content: object, what: string): string {
  if (typeof content !== 'object' || (content as object | null) === null) throw invalid(`${what} is not an object.`);
  try {
    const text = JSON.stringify(content); // runs before `refuseLossy`, because `JSON.stringify` throws on cycles
    refuseLossy(content);
    return text;
  } catch (cause) {
    throw new LogError('invalid', `${what} cannot be written as JSON: ${reasonOf(cause)}.`, { cause });
  }
}

const reasonOf = (cause: unknown) =>
  cause instanceof Error ? cause.message.split('\n')[0]!.replace(/\.$/, '') : 'no reason given';

/** Throws at the first value that JSON would drop or change, or that programs in other languages could not parse. */
function refuseLossy(value: unknown): void {
  if (value === null || value === true || value === false) return;
  if (typeof value === 'string') {
    refuseIllFormed(value);
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} is not a number there`);
  } else if (Array.isArray(value)) {
    for (const item of value as unknown[]) refuseLossy(item);
  } else if (isPlain(value)) {
    for (const key of Object.keys(value)) {
      refuseIllFormed(key);
      refuseLossy(value[key]);
    }
  } else {
    throw new TypeError(`it holds ${value === undefined ? 'undefined' : `a ${kindOf(value)}`}`);
  }
}

function refuseIllFormed(text: string): void {
  if (!text.isWellFormed()) throw new TypeError('it holds half of a surrogate pair');
}

/**
 * Whether a value is a plain object, and not a `Date`, a `Map` or an object of a class. The object may come from
 * another realm: specs and worker threads have their own `Object`.
 */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const kindOf = (value: unknown) => (typeof value === 'object' ? value?.constructor.name : typeof value) ?? 'thing';

const invalid = (message: string) => new LogError('invalid', message);
