import { createHash } from 'node:crypto';
import type { Message } from '@charter/decider';
import {
  isLogError,
  recordedEvent,
  type StoredEvent,
  type StreamReader,
  abortableRead,
  type Upcasting,
} from '@charter/event-log';
import {
  missingEndMessage,
  missingSeenMessage,
  type SignedCheckpoint,
  type ChainVerification,
  verifyChain,
} from '@charter/integrity';
import { organizationIdOf, organizationStream, organizationStreamPrefix } from '@charter/organization';
import type { SignedHead } from '@charter/database';
import { accountTrail } from '@charter/identity';
import { organizationView } from '@charter/organization-view';
import type { Charter } from '../charter';
import {
  foldedStreams,
  foldedEventCount,
  missingEndReason,
  type ReadModelVerdict,
  verifyReadModel,
} from './verify-read-model';
import { storedHeads, lastSignedCheckpoint, SignedHeadsInvalid, joinHeads } from './signed-checkpoints';
import { signedStreamOf } from './signed-head';

type Stores = Pick<Charter, 'log' | 'view' | 'database' | 'signer'>;
type BrokenStream = Readonly<{ ok: false; at: number | null; reason: string }>;

export type ChainsReport = Readonly<{
  organizations: number;
  /** The number of verified audit streams of accounts and keys. */
  trails: number;
  /** The number of events in all streams. */
  events: number;
  /**
   * The SHA-256 over one line for each valid stream: the stream's name, a space, the hash of its last event, and a line
   * feed. The lines are sorted by name.
   */
  head: string;
  broken: readonly Readonly<{ organization?: string; stream?: string; at: number | null; reason: string }>[];
  /**
   * The last signed checkpoint, with which the verification compared the streams. Undefined if no checkpoint was ever
   * signed.
   */
  signed: SignedCheckpoint | undefined;
}>;

/** A valid chain, with the time of its last signature and the number of events that this signature covers. */
export type VerifiedChain = Extract<ChainVerification, { ok: true }> &
  Readonly<{ signed?: Readonly<{ at: string; events: number }> }>;

/** The prefixes of the names of all streams with a hash chain. */
export const chainedPrefixes = [organizationStreamPrefix, 'account-', 'key-'];

/**
 * Verifies one organization's chain and compares it with the last signature. Undefined if neither the log, nor the read
 * model, nor the last signed checkpoint contains the organization.
 * @param gone aborts the read
 * @param onEvents gets the number of events read so far
 * @throws the reason of `gone`; the errors that `onEvents` throws
 */
export async function verifyChainOf(
  stores: Stores,
  id: string,
  gone?: AbortSignal,
  onEvents?: (events: number) => void,
): Promise<VerifiedChain | BrokenStream | undefined> {
  const { log } = stores;
  const stream = organizationStream(id);
  const folded = await foldedEventCount(stores, stream);
  const last = await orInvalid(signedStreamOf(stores, stream));
  if (last && 'reason' in last) return last;
  const signed = last?.head;
  const verdict = await verdictOn(log, stream, { events: folded, signed }, gone, onEvents);
  if (!verdict.ok) return verdict;
  if (verdict.events === 0) return undefined;
  return { ...verdict, ...(last && signed && { signed: { at: last.checkpoint.at, events: signed.events } }) };
}

/** The result of verifying one organization, for HTTP and for the terminal. */
export type OrganizationVerification = Readonly<{
  events: number;
  head: string;
  signed: Readonly<{ at: string; events: number }> | null;
  /** Null if there is no read model to compare. */
  readModel: ReadModelVerdict | null;
}>;

/** Verifies the chain of one organization, and compares the organization's document with a replay. */
export async function verifyOrganization(
  stores: Stores,
  id: string,
  gone?: AbortSignal,
  onEvents?: (events: number) => void,
): Promise<(OrganizationVerification & (Readonly<{ ok: true }> | BrokenStream)) | BrokenStream | undefined> {
  const verdict = await verifyChainOf(stores, id, gone, onEvents);
  if (!verdict?.ok) return verdict;
  const readModel = (await verifyReadModel(stores, id, gone)) ?? null;
  const { events, head, signed = null } = verdict;
  const verified = { events, head, signed, readModel };
  if (readModel?.ok !== false) return { ok: true, ...verified };
  return { ok: false, at: null, reason: documentDiffersMessage(readModel.reason), ...verified };
}

/** The message for a document that differs from a replay of its stream, although the stream's chain is valid. */
export const documentDiffersMessage = (why: string): string => `the read model: ${why}`;

/**
 * Verifies the chains of all organizations, accounts and keys. Also finds settings that make the event store drop
 * events of the verified streams.
 * @param begin gets the number of streams; the returned function gets the number of streams verified so far
 */
export async function verifyAllChains(
  stores: Stores,
  begin: (streams: number) => (done: number) => void,
): Promise<ChainsReport> {
  const { log } = stores;
  const { expected, flaw } = await eventsSeen(stores);
  const last = await orInvalid(lastSignedCheckpoint(stores));
  const broken: ChainsReport['broken'][number][] = flaw ? [flaw] : [];
  if (last && 'reason' in last) broken.push(last);
  const checkpoint = last && 'root' in last ? last : undefined;
  const done = begin(expected.size);
  const heads = createHash('sha256');
  let [events, streams, trails] = [0, 0, 0];
  const stored = storedHeads(checkpoint && stores.database);
  for await (const [stream, signed] of joinHeads([...expected.keys()].sort(), stored)) {
    const verdict = await verdictOn(log, stream, { events: expected.get(stream) ?? 0, signed });
    if (verdict.ok) {
      events += verdict.events;
      heads.update(`${stream} ${verdict.head}\n`);
    } else broken.push({ ...nameOf(stream), at: verdict.at, reason: verdict.reason });
    if (!stream.startsWith(organizationStreamPrefix)) trails += 1;
    done((streams += 1));
  }
  const lost = await missingEndReason(stores);
  if (lost !== undefined) broken.push({ at: null, reason: lost });
  return { organizations: streams - trails, trails, events, head: heads.digest('hex'), broken, signed: checkpoint };
}

/** Returns the promise's value, or a failed verdict if the stored signed heads are invalid. */
async function orInvalid<Signed>(promise: Promise<Signed>) {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof SignedHeadsInvalid) return { ok: false, at: null, reason: error.message } as const;
    throw error;
  }
}

const nameOf = (stream: string) =>
  stream.startsWith(organizationStreamPrefix) ? { organization: organizationIdOf(stream) } : { stream };

/**
 * The minimum number of events of each stream. The minimum is the larger of two numbers: the events in the log, and the
 * events that the read model has folded.
 */
async function eventsSeen(stores: Stores) {
  const expected = new Map<string, number>();
  for await (const { stream, events } of foldedStreams(stores)) expected.set(stream, events);
  try {
    for await (const { stream, revision } of stores.log.readAll({ streamPrefixes: chainedPrefixes }))
      expected.set(stream, Math.max(expected.get(stream) ?? 0, Number(revision) + 1));
  } catch (error) {
    return { expected, flaw: { at: null, reason: unreadable(error) } };
  }
  return { expected, flaw: undefined };
}

/** The number of events and the signed head that a stream must at least contain. */
type Seen = Readonly<{ events: number; signed: SignedHead | undefined }>;

/** Verifies a chain and its length. A check of the hashes alone would accept a chain whose last events are missing. */
async function verdictOn(
  log: Charter['log'],
  stream: string,
  seen: Seen,
  gone?: AbortSignal,
  onEvents: (events: number) => void = () => undefined,
): Promise<ChainVerification | BrokenStream> {
  const verdict = await chainOf(abortableRead(log, gone), stream, seen.signed, onEvents);
  const dropped = (await log.retentionSettings?.(stream)) ?? [];
  if (dropped.length > 0)
    return {
      ok: false,
      at: null,
      reason: `the event store drops events of this stream: ${dropped.join(', ')} in its metadata`,
    };
  if (!verdict.ok) return verdict;
  const cutOff = (reason: string): BrokenStream => ({ ok: false, at: verdict.events, reason });
  if (seen.signed && verdict.events < seen.signed.events) return cutOff(missingEndMessage(seen.signed));
  return verdict.events < seen.events ? cutOff(missingSeenMessage(seen.events)) : verdict;
}

async function chainOf(
  log: StreamReader,
  stream: string,
  signed: SignedHead | undefined,
  onEvents: (events: number) => void,
): Promise<ChainVerification | BrokenStream> {
  try {
    let count = 0;
    let flaw: BrokenStream | undefined;
    const { flawOf } = stream.startsWith(organizationStreamPrefix) ? organizationView : accountTrail;
    const rules: Upcasting<Message> = { ...(flawOf && { flawOf }) };
    // The chain verifies each event before the check for flaws, so that the verdict names a broken chain first.
    const verdict = await verifyChain(log.readStream(stream), signed, (event) => {
      onEvents((count += 1));
      flaw ??= flawIn(event, rules);
    });
    return verdict.ok ? (flaw ?? verdict) : verdict;
  } catch (error) {
    if (isLogError(error, 'not-found')) return { ok: true, events: 0, head: '' };
    return { ok: false, at: null, reason: unreadable(error) };
  }
}

/** The flaw of an event whose data cannot be folded. */
function flawIn(event: StoredEvent, rules: Upcasting<Message>): BrokenStream | undefined {
  try {
    recordedEvent(rules, event);
    return undefined;
  } catch (error) {
    return { ok: false, at: Number(event.revision), reason: `it cannot be read: ${(error as Error).message}` };
  }
}

/**
 * The reason why a stream cannot be read. Throws the error again if the error has another cause than the stream, for
 * example a lock.
 */
function unreadable(error: unknown): string {
  if (!isLogError(error, 'internal')) throw error;
  return `it cannot be read: ${error.message}`;
}
