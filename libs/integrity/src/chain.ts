import { hash as digest } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Folded, Message, Metadata, Recorded } from '@charter/decider';
import { type Envelope, withMonotonicTime } from '@charter/event-log';
import { isLogError, LogError } from '@charter/event-log';
import { eventId } from '@charter/event-log';
import type { StoredEvent } from '@charter/event-log';

/** What the first event of a stream names as the hash before it. */
export const ZERO_HASH = '0'.repeat(64);

/** An event with everything it will be stored with: its id, its place and its link in the chain. */
export type SealedEvent<Event extends Message = Message> = Recorded<Event> & Readonly<{ id: string }>;

/** What the hash of an event covers: all of it, but the hash itself, its position and the store's time. */
type Hashed = Readonly<{ stream: string; revision: number; id: string; type: string; data: unknown; metadata: object }>;

/** Where a stream ends: what the next event is chained to. */
export type StreamEnd = Pick<Folded<unknown>, 'revision' | 'at'> & Readonly<{ hash: string }>;

/**
 * The lower-case hex SHA-256 over the canonical form (RFC 8785) of an event. `metadata` is given without its hash.
 * @throws LogError `invalid` for what JSON cannot say: NaN, Infinity, a lone surrogate, a cycle
 */
export function hashOf({ stream, revision, id, type, data, metadata }: Hashed): string {
  return digest('sha256', canonicalJson({ stream, revision, id, type, data, metadata }), 'hex');
}

/** Decisions, made ready for the log: ids, metadata and hashes, following on what is there. */
export function sealEvents<Event extends Message>(
  decided: readonly Event[],
  stream: string,
  end: StreamEnd,
  by: Envelope,
  schemas: Readonly<Record<string, number>> = {},
): SealedEvent<Event>[] {
  let { revision, hash } = end;
  const { at } = withMonotonicTime(by, end.at);
  return decided.map((event, index) => {
    revision += 1;
    const { type } = event;
    const id = eventId(by.command, index);
    const metadata = { ...circumstances(by), at, schema: schemas[type] ?? 1, previousHash: hash };
    hash = hashOf({ stream, revision, id, type, data: event.data, metadata }); // refuses what is not JSON
    // The decision again, but with data of its own: the state may share parts of it, and writes to them later.
    return { id, type, data: plainJson(event.data), revision, metadata: { ...metadata, hash } } as SealedEvent<Event>;
  });
}

const circumstances = ({ command, correlation, causation, message, actor: { kind, id } }: Envelope) => ({
  command,
  correlation,
  causation: message ?? causation,
  actor: { kind, id },
});

/** What a log would give back for it: plain JSON, shared with nobody. */
export const plainJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** A whole chain and its last hash; or where it breaks first, and why. */
export type ChainVerification =
  Readonly<{ ok: true; events: number; head: string }> | Readonly<{ ok: false; at: number; reason: string }>;

/**
 * Follows the chain of one stream from its first event. Takes the events as the store gives them, never upcast: a hash is
 * about what was written. That the end was cut off, or all of it was written again, no chain can tell.
 * @param signed where it ended when somebody signed it: there it must have been the same
 */
export async function verifyChain(
  events: AsyncIterable<StoredEvent> | Iterable<StoredEvent>,
  signed?: SignedEnd,
): Promise<ChainVerification> {
  let chain: Chain | undefined;
  for await (const event of events) {
    chain ??= chainFrom(event.stream);
    const reason = chain.follow(event);
    const at = Number(event.revision);
    if (reason !== undefined) return { ok: false, at, reason };
    if (divergesFromSigned(chain, signed)) return { ok: false, at, reason: REWRITTEN_HISTORY };
  }
  return { ok: true, events: chain?.events() ?? 0, head: chain?.head() ?? ZERO_HASH };
}

/** Where a stream ended when somebody signed it. */
export type SignedEnd = Readonly<{ events: number; head: string }>;

export const REWRITTEN_HISTORY = 'it is not the event that was signed: it was written again, or one before it';

/** Why a stream is too short. */
export const missingEndMessage = ({ events }: SignedEnd): string =>
  `its end is missing: ${events} ${events === 1 ? 'event was' : 'events were'} signed`;

/** Whether a chain has come to where it was signed, and is another one. */
export const divergesFromSigned = (chain: Chain, signed: SignedEnd | undefined): boolean =>
  chain.events() === signed?.events && chain.head() !== signed.head;

/** What a chain is made of. */
type ChainEvent = Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'type' | 'data' | 'metadata'>;

/** A chain that is followed event by event. */
export type Chain = Readonly<{
  /** Why this cannot be the next event; undefined: it is. */
  follow: (event: ChainEvent) => string | undefined;
  events: () => number;
  /** The hash of the last event; 64 zeros before the first. */
  head: () => string;
}>;

/** The chain of a stream from its first event on, or from where it was followed to already. */
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

/** Why an event cannot be the next one of a chain; undefined if it can. */
function flawOf(event: ChainEvent, stream: string, revision: number, previous: string): string | undefined {
  if (event.stream !== stream) return `it belongs to ${event.stream}, not to ${stream}`;
  if (event.revision < BigInt(revision)) return `revision ${event.revision} stands there again`;
  if (event.revision > BigInt(revision)) return `revision ${revision} is missing`;
  if (typeof event.metadata !== 'object' || event.metadata === null) return 'it has no metadata';
  const { hash, ...metadata } = event.metadata as Partial<Metadata>;
  if (metadata.previousHash !== previous) return 'it does not follow on the event before it';
  if (hash !== hashIfAny({ ...event, revision, metadata })) return 'its content is not what was hashed';
  return undefined;
}

/** Undefined for what has no canonical form, such as half a character, or what is nested too deep: nobody can have hashed it. */
function hashIfAny(event: Hashed): string | undefined {
  try {
    return hashOf(event);
  } catch (error) {
    if (isLogError(error, 'invalid')) return undefined;
    throw error;
  }
}

/**
 * The canonical form (RFC 8785) of a JSON value.
 * @throws LogError `invalid` for what JSON cannot say
 */
export function canonicalJson(value: unknown): string {
  try {
    const text = canonicalize(value);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new LogError('invalid', `This is not JSON: ${String(cause)}`, { cause });
  }
  throw new LogError('invalid', 'This is not JSON.');
}
