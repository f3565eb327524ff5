import type { EventWithTexts, ReadStreamOptions, StreamTextReader } from '../port';

/**
 * Reads a stream in pages, with the stored texts if the adapter has them. If the adapter does not have them, each page
 * contains one event.
 */
export async function* textPagesOf(
  log: StreamTextReader,
  stream: string,
  options: ReadStreamOptions,
): AsyncGenerator<readonly EventWithTexts[]> {
  if (log.readStreamTexts) yield* log.readStreamTexts(stream, options);
  else for await (const event of log.readStream(stream, options)) yield [{ event }];
}
