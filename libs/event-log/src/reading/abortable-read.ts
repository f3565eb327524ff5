import type { StoredEvent, StreamReader } from '../port';

/** Stops reading streams when the client disconnects: the iteration then throws the reason of `signal`. */
export const abortableRead = (log: StreamReader, signal: AbortSignal | undefined): StreamReader =>
  signal ? { readStream: (stream, options) => untilAborted(log.readStream(stream, options), signal) } : log;

async function* untilAborted(
  events: AsyncIterable<StoredEvent>,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent, void> {
  for await (const event of events) {
    signal.throwIfAborted();
    yield event;
  }
}
