import type { StoredEvent, StreamReader } from '../port';

/** Reads streams for somebody who may go away. Each reading then ends with why `gone` fired. */
export const abortableRead = (log: StreamReader, gone: AbortSignal | undefined): StreamReader =>
  gone ? { readStream: (stream, options) => stillWanted(log.readStream(stream, options), gone) } : log;

async function* stillWanted(events: AsyncIterable<StoredEvent>, gone: AbortSignal): AsyncGenerator<StoredEvent, void> {
  for await (const event of events) {
    gone.throwIfAborted();
    yield event;
  }
}
