import { createHash } from 'node:crypto';
import { isLogError, type StoredEvent, type StreamReader, abortableRead } from '@charter/event-log';
import { missingEndMessage, type SignedCheckpoint, type ChainVerification, verifyChain } from '@charter/integrity';
import { organizationIdOf, organizationStream, organizationStreamPrefix } from '@charter/organization';
import type { SignedHead } from '@charter/database';
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

type Stores = Pick<Charter, 'log' | 'view' | 'documents' | 'signer'>;
type BrokenStream = Readonly<{ ok: false; at: number | null; reason: string }>;

export type ChainsReport = Readonly<{
  organizations: number;
  /** Audit streams of accounts and keys. */
  trails: number;
  /** Of all of them. */
  events: number;
  /** SHA-256 over `stream head\n` of every stream, in the order of their names. */
  head: string;
  broken: readonly Readonly<{ organization?: string; stream?: string; at: number | null; reason: string }>[];
  /** The last signed checkpoint, which they were compared with. */
  signed: SignedCheckpoint | undefined;
}>;

/** A chain that holds, and when it was last signed, up to how many events. */
export type VerifiedChain = Extract<ChainVerification, { ok: true }> &
  Readonly<{ signed?: Readonly<{ at: string; events: number }> }>;

/** Whatever Charter chains. */
export const chainedPrefixes = [organizationStreamPrefix, 'account-', 'key-'];

/**
 * One organization's chain, compared with what was last signed; nothing if neither the log nor the read model nor that has
 * ever heard of it.
 * @param gone ends the reading once it fires
 * @param onEvents is told how many events were read
 * @throws why `gone` fired; what `onEvents` throws
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
  const last = await believed(signedStreamOf(stores, stream));
  if (last && 'reason' in last) return last;
  const signed = last?.head;
  const verdict = await verdictOn(log, stream, { events: folded, signed }, gone, onEvents);
  if (!verdict.ok) return verdict;
  if (verdict.events === 0) return undefined;
  return { ...verdict, ...(last && signed && { signed: { at: last.checkpoint.at, events: signed.events } }) };
}

/** What is answered about one organization, over HTTP and at the terminal. */
export type OrganizationVerification = Readonly<{
  events: number;
  head: string;
  signed: Readonly<{ at: string; events: number }> | null;
  /** Null while there is none to compare. */
  readModel: ReadModelVerdict | null;
}>;

/** The chain of one organization as `verifyOne` follows it, and its read model beside a replay. */
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

/** Why a document is wrong, where its stream is right. */
export const documentDiffersMessage = (why: string): string => `the read model: ${why}`;

/** Every chain: of organizations, accounts and keys; and whether the store would drop events of one. `begin` is told how many there are; what it answers, how many are done. */
export async function verifyAllChains(
  stores: Stores,
  begin: (streams: number) => (done: number) => void,
): Promise<ChainsReport> {
  const { log } = stores;
  const { expected, flaw } = await eventsSeen(stores);
  const last = await believed(lastSignedCheckpoint(stores));
  const broken: ChainsReport['broken'][number][] = flaw ? [flaw] : [];
  if (last && 'reason' in last) broken.push(last);
  const checkpoint = last && 'root' in last ? last : undefined;
  const done = begin(expected.size);
  const heads = createHash('sha256');
  let [events, streams, trails] = [0, 0, 0];
  const kept = storedHeads(checkpoint && stores.documents);
  for await (const [stream, signed] of joinHeads([...expected.keys()].sort(), kept)) {
    const verdict = await verdictOn(log, stream, { events: expected.get(stream) ?? 0, signed });
    if (verdict.ok) {
      events += verdict.events;
      heads.update(`${stream} ${verdict.head}\n`);
    } else broken.push({ ...called(stream), at: verdict.at, reason: verdict.reason });
    if (!stream.startsWith(organizationStreamPrefix)) trails += 1;
    done((streams += 1));
  }
  const lost = await missingEndReason(stores);
  if (lost !== undefined) broken.push({ at: null, reason: lost });
  return { organizations: streams - trails, trails, events, head: heads.digest('hex'), broken, signed: checkpoint };
}

/** What was last signed, or why that is not believed. */
async function believed<Signed>(asked: Promise<Signed>) {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof SignedHeadsInvalid) return { ok: false, at: null, reason: error.message } as const;
    throw error;
  }
}

const called = (stream: string) =>
  stream.startsWith(organizationStreamPrefix) ? { organization: organizationIdOf(stream) } : { stream };

/** How many events each stream must have: as many as the whole log shows, and as many as the read model has folded. */
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

/** What others have seen of a stream: how many events, and where it ended when it was signed. */
type Seen = Readonly<{ events: number; signed: SignedHead | undefined }>;

/** A chain that was cut off at its end is whole in itself; what others have seen of it tells. */
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
    return { ok: false, at: null, reason: `the event store drops its events: ${dropped.join(', ')} in its metadata` };
  if (!verdict.ok) return verdict;
  const cut = (reason: string): BrokenStream => ({ ok: false, at: verdict.events, reason });
  if (seen.signed && verdict.events < seen.signed.events) return cut(missingEndMessage(seen.signed));
  return verdict.events < seen.events ? cut(`its end is missing: ${seen.events} events were seen of it`) : verdict;
}

async function chainOf(
  log: StreamReader,
  stream: string,
  signed: SignedHead | undefined,
  onEvents: (events: number) => void,
): Promise<ChainVerification | BrokenStream> {
  try {
    return await verifyChain(counted(log.readStream(stream), onEvents), signed);
  } catch (error) {
    if (isLogError(error, 'not-found')) return { ok: true, events: 0, head: '' };
    return { ok: false, at: null, reason: unreadable(error) };
  }
}

async function* counted(events: AsyncIterable<StoredEvent>, onEvents: (events: number) => void) {
  let count = 0;
  for await (const event of events) {
    onEvents((count += 1));
    yield event;
  }
}

/** What cannot be read at all is not verified. Anything else, such as a lock, says nothing about it. */
function unreadable(error: unknown): string {
  if (!isLogError(error, 'internal')) throw error;
  return `it cannot be read: ${error.message}`;
}
