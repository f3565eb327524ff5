import type { SignedHead } from '@charter/database';
import { isLogError, EMPTY_LOG_POSITION, metadataOf, type StoredEvent } from '@charter/event-log';
import {
  type Chain,
  chainFrom,
  ALL_STREAMS,
  rootBuilder,
  signCheckpoint,
  type SignedCheckpoint,
} from '@charter/integrity';
import type { Moment } from '@charter/decider';
import { chainedPrefixes } from './verify-chains';
import type { Charter } from '../charter';
import { storedHeads, openOwnCheckpoint, joinHeads, headsSummary } from './signed-checkpoints';

/**
 * Thrown when the process cannot sign a checkpoint, for example because the log lacks events that the last signed
 * checkpoint covers.
 */
export class SigningRefused extends Error {
  constructor(why: string) {
    super(
      `No checkpoint was signed: ${why}. Find the cause with charter verify --all. If the change is intended, for example ` +
        'a restore or a new key, run charter checkpoint sign --anew.',
    );
    this.name = 'SigningRefused';
  }
}

/**
 * Thrown when another process has signed a checkpoint since this signing began. Nothing is wrong, and a later signing
 * can succeed.
 */
export class SignedMeanwhile extends Error {
  constructor() {
    super('This process signed no checkpoint, because another process signed one at the same time. Sign again.');
    this.name = 'SignedMeanwhile';
  }
}

type Options = Readonly<{
  at: Moment;
  /** If true, verifies every chain from its first event and ignores earlier signed checkpoints. */
  anew?: boolean;
  /** If true, signs nothing and returns undefined when the log has no event after the last checkpoint. */
  onlyIfGrown?: boolean;
  /**
   * Called with the number of events verified so far. The called function may delay the verification, or throw an error
   * to end the verification.
   */
  onEvents?: (events: number) => void | Promise<void>;
}>;

/** The signed checkpoint. `note` is its signed text, which the operator stores outside of Charter. */
type SigningResult = Readonly<{ note: string; checkpoint: SignedCheckpoint }>;

/**
 * Signs a checkpoint over the heads of all streams (`event-log.md` E). For the first checkpoint, the process verifies
 * every chain from its first event. For a later checkpoint, the process verifies only the events after the previous
 * checkpoint. Returns undefined if the log is empty, or if `onlyIfGrown` is set and the log has not grown.
 * @throws SigningRefused when a chain is broken, or when signed events are missing; SignedHeadsInvalid;
 * SignedMeanwhile
 */
export async function signWholeLog(stores: Stores, options: Options): Promise<SigningResult | undefined> {
  const { signedHeads } = stores.database;
  const from = await signedHeads.note();
  try {
    return await signAfter(stores, from, options);
  } catch (error) {
    // The signing of another process replaces the stored heads, so a signing that reads these heads finds differences.
    const readsHeads = from !== undefined && options.anew !== true;
    if (readsHeads && error instanceof SigningRefused && (await signedHeads.note()) !== from)
      throw new SignedMeanwhile();
    throw error;
  }
}

type Stores = Pick<Charter, 'log' | 'database' | 'signer'>;

/** Signs a checkpoint that follows the stored checkpoint `from`. */
async function signAfter({ log, database, signer }: Stores, from: string | undefined, options: Options) {
  const { at, anew = false, onlyIfGrown = false, onEvents = () => undefined } = options;
  const last = from === undefined || anew ? undefined : openOwnCheckpoint(signer, from);
  const store = await log.identity();
  if (last && last.store !== store)
    throw new SigningRefused('the last checkpoint was signed for another store than this event log');

  const chains = new Map<string, Chain>();
  const endOf = (stream: string) => (last ? database.signedHeads.of(stream) : undefined);
  let position = last?.position ?? EMPTY_LOG_POSITION;
  let count = 0;
  for await (const event of gainedSince(log, last)) {
    if (last && event.position === last.position) {
      mustBeSigned(event, await endOf(event.stream));
      continue;
    }
    const chain = chains.get(event.stream) ?? chainFrom(event.stream, await endOf(event.stream));
    const reason = chain.follow(event);
    if (reason !== undefined) throw new SigningRefused(`revision ${event.revision} of ${event.stream}: ${reason}`);
    chains.set(event.stream, chain);
    position = event.position;
    await onEvents((count += 1));
  }
  if (position === EMPTY_LOG_POSITION || (last && onlyIfGrown && count === 0)) return undefined;

  const moved = new Map([...chains].map(([stream, chain]) => [stream, headOf(stream, chain)]));
  const { events, root, before } = await mergedRoot(storedHeads(last && database), moved);
  if (last && !before.is(last))
    throw new SigningRefused('the stored heads of the last checkpoint were changed after it was signed');
  const checkpoint: SignedCheckpoint = { store, events, root, covers: ALL_STREAMS, position, at };
  const note = signCheckpoint(checkpoint, signer);
  const isFirst = await database.signedHeads.sign(note, [...moved.values()], { from, anew: !last });
  if (!isFirst) throw new SignedMeanwhile();
  return { note, checkpoint };
}

/** Yields the last signed event and all events after it; if no checkpoint was ever signed, all events. */
async function* gainedSince(log: Charter['log'], last: SignedCheckpoint | undefined): AsyncGenerator<StoredEvent> {
  let isThere = last === undefined;
  try {
    for await (const event of log.readAll({ ...(last && { from: last.position }), streamPrefixes: chainedPrefixes })) {
      isThere ||= event.position === last?.position;
      if (!isThere) break;
      yield event;
    }
  } catch (error) {
    if (!isLogError(error, 'invalid-position')) throw error;
  }
  if (!isThere)
    throw new SigningRefused(
      'the log ends before the last signed event: its end was cut off, or an older log was restored',
    );
}

function mustBeSigned(event: StoredEvent, signed: SignedHead | undefined) {
  const { stream, revision } = event;
  const { hash } = metadataOf(event);
  if (signed?.head === hash && signed?.events === Number(revision) + 1) return;
  throw new SigningRefused(`revision ${revision} of ${stream} is not the event that was signed`);
}

const headOf = (stream: string, chain: Chain): SignedHead => ({ stream, events: chain.events(), head: chain.head() });

/**
 * Computes the root over the heads of all streams (the hash of each stream's last event), sorted by stream name. The
 * head of a changed stream replaces the stored head of this stream. Also returns `before`, the summary of only the
 * stored heads, to compare them with the last checkpoint.
 */
async function mergedRoot(stored: AsyncIterable<SignedHead>, moved: ReadonlyMap<string, SignedHead>) {
  const [over, before] = [rootBuilder(), headsSummary()];
  let events = 0;
  for await (const [stream, signed] of joinHeads([...moved.keys()].sort(), stored)) {
    if (signed) before.add(signed);
    const head = moved.get(stream) ?? signed!;
    events += head.events;
    over.add(head);
  }
  return { events, root: over.root(), before };
}
