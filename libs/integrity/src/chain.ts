import { hash as digest } from 'node:crypto';
import type { Folded, Message, Metadata, Recorded } from '@charter/decider';
import { type Envelope, withMonotonicTime } from '@charter/event-log';
import { isLogError } from '@charter/event-log';
import { eventId } from '@charter/event-log';
import type { StoredEvent } from '@charter/event-log';
import { canonicalJson } from './canonical';

/** The `previousHash` of a stream's first event. */
export const ZERO_HASH = '0'.repeat(64);

/** An event as the log stores it, including its id, its revision and the previous event's hash. */
export type SealedEvent<Event extends Message = Message> = Recorded<Event> & Readonly<{ id: string }>;

/**
 * The fields that the hash of an event covers. The hash does not cover itself, the position, or the time at which the
 * store wrote the event.
 */
type Hashed = Readonly<{ stream: string; revision: number; id: string; type: string; data: unknown; metadata: object }>;

/** The last event of a stream: its revision, its moment and its hash, which the next event contains. */
export type StreamEnd = Pick<Folded<unknown>, 'revision' | 'at'> & Readonly<{ hash: string }>;

/**
 * The SHA-256, in lower-case hex, of an event's canonical form (RFC 8785); `event-log.md` E defines this hash.
 * `metadata` must not contain the hash; the canonical form omits fields whose value is undefined.
 * @throws LogError `invalid` for values that JSON cannot represent: NaN, Infinity, a lone surrogate, a cycle
 */
export function hashOf({ stream, revision, id, type, data, metadata }: Hashed): string {
  // The keys are in canonical order, so that `canonicalJson` does not copy the object.
  return digest('sha256', canonicalJson({ data, id, metadata, revision, stream, type }), 'hex');
}

/** Turns decided events into events for the log, with ids, with metadata, and with hashes that continue the chain. */
export function sealEvents<Event extends Message>(
  decided: readonly Event[],
  stream: string,
  end: StreamEnd,
  envelope: Envelope,
  schemas: Readonly<Record<string, number>> = {},
): SealedEvent<Event>[] {
  let { revision, hash } = end;
  const { at } = withMonotonicTime(envelope, end.at);
  return decided.map((event, index) => {
    revision += 1;
    const { type } = event;
    const id = eventId(envelope.command, index);
    const metadata = metadataOf(envelope, at, hash, schemas[type] ?? 1);
    // Throws for values that JSON cannot represent.
    hash = hashOf({ stream, revision, id, type, data: event.data, metadata });
    // Copies the data, because the aggregate's state may share objects with the decided events and change these objects
    // later.
    return { id, type, data: plainJson(event.data), revision, metadata: { ...metadata, hash } } as SealedEvent<Event>;
  });
}

/** The metadata of an event before its hash is known. The keys are in canonical order, as in `hashOf`. */
const metadataOf = (
  { command, correlation, causation, message, actor: { kind, id } }: Envelope,
  at: string,
  previousHash: string,
  schema: number,
) => ({
  ...{ actor: { id, kind }, at, causation: message ?? causation, command, correlation },
  ...{ hash: undefined, previousHash, schema },
});

/** A copy of a value in the form that a log returns: plain JSON. */
export const plainJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/**
 * The result of a verification. For an intact chain: the number of events and the last hash. For a broken chain: the
 * first wrong revision and the reason.
 */
export type ChainVerification =
  Readonly<{ ok: true; events: number; head: string }> | Readonly<{ ok: false; at: number; reason: string }>;

/**
 * Verifies the chain of one stream from its first event. The events must be as the store returns them, not converted
 * from older schemas, because the hash covers the stored content. Only a comparison with `signed` can show that the end
 * was cut off or that an attacker has rewritten the whole stream.
 * @param signed the end of the stream at an earlier signature, which the chain must still contain
 * @param visit gets each event that continues the chain
 */
export async function verifyChain(
  events: AsyncIterable<StoredEvent> | Iterable<StoredEvent>,
  signed?: SignedEnd,
  visit?: (event: StoredEvent) => void,
): Promise<ChainVerification> {
  let chain: Chain | undefined;
  for await (const event of events) {
    chain ??= chainFrom(event.stream);
    const reason = chain.follow(event);
    const at = Number(event.revision);
    if (reason !== undefined) return { ok: false, at, reason };
    if (divergesFromSigned(chain, signed)) return { ok: false, at, reason: REWRITTEN_HISTORY };
    visit?.(event);
  }
  return { ok: true, events: chain?.events() ?? 0, head: chain?.head() ?? ZERO_HASH };
}

/** The end of a stream at the moment when a checkpoint was signed. */
export type SignedEnd = Readonly<{ events: number; head: string }>;

export const REWRITTEN_HISTORY = 'it is not the event that was signed: this event or an earlier event was changed';

/** The reason in the error for a stream that ends before its signed end. */
export const missingEndMessage = ({ events }: SignedEnd): string =>
  `its end is missing: ${events} ${events === 1 ? 'event was' : 'events were'} signed`;

/** The reason in the error for a stream that ends before an event that the read model has folded. */
export const missingSeenMessage = (seen: number): string =>
  `its end is missing: ${seen} ${seen === 1 ? 'event of this stream was' : 'events of this stream were'} seen before`;

/** True if the chain has reached the signed number of events and its hash is not the signed hash. */
export const divergesFromSigned = (chain: Chain, signed: SignedEnd | undefined): boolean =>
  chain.events() === signed?.events && chain.head() !== signed.head;

/** The fields of an event that the verification of a chain needs. */
type ChainEvent = Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'type' | 'data' | 'metadata'>;

/** A chain that verifies one event at a time. */
export type Chain = Readonly<{
  /** Adds the event to the chain. Returns the reason why this event cannot be the next event; `undefined` if it can. */
  follow: (event: ChainEvent) => string | undefined;
  events: () => number;
  /** The hash of the last verified event; 64 zeros before the first event. */
  head: () => string;
}>;

/** The chain of a stream. The chain begins with the stream's first event, or after an end that was already verified. */
export function chainFrom(stream: string, { events, head } = { events: 0, head: ZERO_HASH }): Chain {
  return {
    follow: (event) => {
      const reason = flawOf(event, stream, events, head);
      if (reason !== undefined) return reason;
      head = (event.metadata as Metadata).hash;
      events += 1;
      return undefined;
    },
    events: () => events,
    head: () => head,
  };
}

/** The reason why an event cannot be the next event; `undefined` if it can. */
function flawOf(event: ChainEvent, stream: string, revision: number, previous: string): string | undefined {
  if (event.stream !== stream) return `it belongs to ${event.stream}, not to ${stream}`;
  if (Number(event.revision) !== revision)
    return event.revision < revision ? `revision ${event.revision} is repeated` : `revision ${revision} is missing`;
  const content = contentIn(event);
  if (typeof content === 'string') return content;
  const { data } = content;
  if (typeof content.metadata !== 'object' || content.metadata === null) return 'it has no metadata';
  const { hash, previousHash } = content.metadata as Partial<Metadata>;
  if (previousHash !== previous) return 'its previous hash is not the hash of the event before it';
  const { id, type } = event;
  const metadata = { ...content.metadata, hash: undefined }; // faster than a copy without the field
  if (hash !== hashIfAny({ stream, revision, id, type, data, metadata })) return 'its hash does not match its content';
  return undefined;
}

/** The data and metadata of an event, or the reason why they cannot be read. */
function contentIn(event: ChainEvent): Pick<ChainEvent, 'data' | 'metadata'> | string {
  try {
    const { data, metadata } = event;
    return { data, metadata };
  } catch (error) {
    if (isLogError(error, 'internal')) return `it cannot be read: ${error.message}`;
    throw error;
  }
}

/**
 * The hash of an event. Returns `undefined` for content without a canonical form, such as a lone surrogate or too many
 * levels.
 */
function hashIfAny(event: Hashed): string | undefined {
  try {
    return hashOf(event);
  } catch (error) {
    if (isLogError(error, 'invalid')) return undefined;
    throw error;
  }
}
