import type { StoredEvent, StreamReader } from '../port';

/** Stops reading streams when the client disconnects: the iteration then throws the reason of `signal`. */
export const abortableRead = (log: StreamReader, signal: AbortSignal | undefined): StreamReader =>
  signal ? { readStream: (stream, options) => untilAborted(log.readStream(stream, options), signal) } : log;

/** Not a generator: a generator would take as much time for each event as the serialization of the event. */
function untilAborted(events: AsyncIterable<StoredEvent>, signal: AbortSignal): AsyncIterableIterator<StoredEvent> {
  const inner = events[Symbol.asyncIterator]();
  const close = async () => {
    await inner.return?.();
    return { done: true, value: undefined } as const;
  };
  const abort = async () => {
    await close();
    throw signal.reason;
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => (signal.aborted ? abort() : inner.next()),
    return: close,
  };
}
