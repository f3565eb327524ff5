import type { Metadata } from '@charter/decider';
import { type Chain, endMissing, type Ended, isAnother, WRITTEN_AGAIN } from './chain';
import { EVERYTHING, type Head } from './signed-checkpoint';
import { isLogError } from '@charter/event-log';
import { lastOf } from '@charter/event-log';
import type { StoredEvent, StreamReading } from '@charter/event-log';

/** A chain that does not hold, or is not what was signed of it, is not exported. */
export class Broken extends Error {
  constructor(
    readonly stream: string,
    readonly at: number,
    readonly reason: string,
  ) {
    super(`The chain of ${stream} is broken at revision ${at}: ${reason}. Nothing is signed over it.`);
    this.name = 'Broken';
  }
}

/** The last event that was signed must be there still; whether it is what it says, following the chain tells. @throws Broken */
export async function mustBeThere(log: StreamReading, stream: string, signed: Ended): Promise<void> {
  const event = await eventAt(log, stream, signed.events - 1);
  if (!event) throw new Broken(stream, await eventsOf(log, stream), endMissing(signed));
  const { hash } = (event.metadata ?? {}) as Partial<Metadata>;
  if (hash !== signed.head) throw new Broken(stream, signed.events - 1, WRITTEN_AGAIN);
}

/** The whole log is not what was signed: the first stream that is not tells why, in the order of their names. @throws Broken */
export async function allMustBeThere(log: StreamReading, signed: AsyncIterable<Ended & Head>): Promise<never> {
  for await (const one of signed) await mustBeThere(log, one.stream, one);
  throw new Broken(EVERYTHING, 0, 'its events are not in the order in which they were signed');
}

/** As many events as somebody has seen of a stream must be there still. @throws Broken */
export async function mustReach(log: StreamReading, stream: string, seen: number): Promise<void> {
  if (seen === 0 || (await eventAt(log, stream, seen - 1))) return;
  throw new Broken(stream, await eventsOf(log, stream), `its end is missing: ${seen} events were seen of it`);
}

/** The event that was just followed is the one that was signed, if one was at its place. @throws Broken */
export function mustBeSigned(stream: string, chain: Chain, signed: Ended | undefined): void {
  if (isAnother(chain, signed)) throw new Broken(stream, chain.events() - 1, WRITTEN_AGAIN);
}

async function eventsOf(log: StreamReading, stream: string): Promise<number> {
  const last = await lastOf(log, stream);
  return last ? Number(last.revision) + 1 : 0;
}

async function eventAt(log: StreamReading, stream: string, revision: number): Promise<StoredEvent | undefined> {
  try {
    for await (const event of log.readStream(stream, { from: BigInt(revision), maxCount: 1 })) return event;
  } catch (error) {
    if (!isLogError(error, 'not-found')) throw error;
  }
  return undefined;
}
