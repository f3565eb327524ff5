import {
  type Chain,
  missingEndMessage,
  missingSeenMessage,
  type SignedEnd,
  divergesFromSigned,
  REWRITTEN_HISTORY,
} from './chain';
import { ALL_STREAMS, type StreamHead } from './signed-checkpoint';
import { lastEventOf, metadataOf } from '@charter/event-log';
import type { StoredEvent, StreamReader } from '@charter/event-log';

/**
 * Thrown when a hash chain is broken, or when it differs from a signed checkpoint. Charter does not export a history
 * with a broken chain.
 */
export class BrokenChain extends Error {
  constructor(
    readonly stream: string,
    readonly at: number,
    readonly reason: string,
  ) {
    super(`The chain of ${stream} is broken at revision ${at}: ${reason}. Charter does not sign this chain.`);
    this.name = 'BrokenChain';
  }
}

/** Checks that the stream still contains its last signed event, with the signed hash. @throws BrokenChain */
export async function assertSignedEventExists(log: StreamReader, stream: string, signed: SignedEnd): Promise<void> {
  const event = await eventAt(log, stream, signed.events - 1);
  if (!event) throw new BrokenChain(stream, await eventsOf(log, stream), missingEndMessage(signed));
  if (metadataOf(event).hash !== signed.head) throw new BrokenChain(stream, signed.events - 1, REWRITTEN_HISTORY);
}

/**
 * Compares each stream, in the order of names, with its signed head, and throws for the first stream that differs. If
 * no stream differs, the order of the events was changed, so the function throws, too.
 * @throws BrokenChain in every case
 */
export async function assertAllSignedEventsExist(
  log: StreamReader,
  signed: AsyncIterable<SignedEnd & StreamHead>,
): Promise<never> {
  for await (const one of signed) await assertSignedEventExists(log, one.stream, one);
  throw new BrokenChain(ALL_STREAMS, 0, 'its events are not in the order in which they were signed');
}

/** Checks that the stream still contains all events that the read model has folded. @throws BrokenChain */
export async function assertStreamReaches(log: StreamReader, stream: string, seen: number): Promise<void> {
  if (seen === 0 || (await eventAt(log, stream, seen - 1))) return;
  throw new BrokenChain(stream, await eventsOf(log, stream), missingSeenMessage(seen));
}

/** Checks that the chain has the signed hash after the signed number of events. @throws BrokenChain */
export function assertMatchesSigned(stream: string, chain: Chain, signed: SignedEnd | undefined): void {
  if (divergesFromSigned(chain, signed)) throw new BrokenChain(stream, chain.events() - 1, REWRITTEN_HISTORY);
}

async function eventsOf(log: StreamReader, stream: string): Promise<number> {
  const last = await lastEventOf(log, stream);
  return last ? Number(last.revision) + 1 : 0;
}

async function eventAt(log: StreamReader, stream: string, revision: number): Promise<StoredEvent | undefined> {
  const options = { from: BigInt(revision), maxCount: 1, absent: 'empty' } as const;
  for await (const event of log.readStream(stream, options)) return event;
  return undefined;
}
