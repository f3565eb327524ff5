import type { Moment } from '@charter/decider';
import { type EventLog, EMPTY_LOG_POSITION } from '@charter/event-log';
import { chainFrom, type SignedEnd } from './chain';
import { assertSignedEventExists, assertStreamReaches, BrokenChain } from './chain-errors';
import { rootOf, signCheckpoint } from './signed-checkpoint';
import type { Signer } from './signed-note';

type Options = Readonly<{
  at: Moment;
  /** The path that follows the store's id in the first line (the origin) of the signed note. */
  path: string;
  gone: AbortSignal;
  /**
   * The end of the stream at the last signature. Charter verifies only later events; without this field, it verifies
   * all events.
   */
  signed: SignedEnd | undefined;
  /** The number of events that the read model has folded. */
  seen: number;
}>;

/**
 * Signs a checkpoint over the head of one stream, and returns it as a note without events.
 * @throws BrokenChain if the chain is broken or differs from `signed`; LogError `not-found` for an unknown stream; the
 * reason of `gone`
 */
export async function signStreamCheckpoint(
  log: Pick<EventLog, 'readStream' | 'identity'>,
  stream: string,
  signer: Signer,
  { at, path, gone, signed, seen }: Options,
): Promise<string> {
  if (signed) await assertSignedEventExists(log, stream, signed);
  await assertStreamReaches(log, stream, seen);
  const chain = chainFrom(stream, signed);
  let position = EMPTY_LOG_POSITION;
  // begins with the last signed event: if no event follows, the checkpoint names the position of this event
  for await (const event of log.readStream(stream, { from: BigInt(Math.max(chain.events() - 1, 0)) })) {
    gone.throwIfAborted();
    const isSigned = event.revision < BigInt(signed?.events ?? 0);
    const reason = isSigned ? undefined : chain.follow(event);
    if (reason !== undefined) throw new BrokenChain(stream, Number(event.revision), reason);
    position = event.position;
  }
  const root = rootOf([{ stream, head: chain.head() }]);
  const store = await log.identity();
  return signCheckpoint({ store, path, events: chain.events(), root, covers: stream, position, at }, signer);
}
