import type { EventWithTexts, ReadStreamOptions, StoredEvent, StreamReaderWithTexts } from '../port';

/**
 * Reads a stream in pages, with the stored texts if the adapter has them. If the adapter does not have them, each page
 * contains one event.
 */
export async function* pagesWithTexts(
  log: StreamReaderWithTexts,
  stream: string,
  options: ReadStreamOptions,
): AsyncGenerator<readonly EventWithTexts[]> {
  if (log.readStreamWithTexts) yield* log.readStreamWithTexts(stream, options);
  else for await (const event of log.readStream(stream, options)) yield [withoutTexts(event)];
}

function withoutTexts(event: StoredEvent): EventWithTexts {
  const { id, type, stream, revision, position } = event;
  return { id, type, stream, revision: Number(revision), position, event };
}
