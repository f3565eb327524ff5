import type { BatchOptions, EventLog, EventToFold } from '../port';

/** Reads the whole log in pages: with `batches` if the adapter has this function, otherwise with `readAll`. */
export async function* pagesOf(log: EventLog, options: BatchOptions): AsyncGenerator<readonly EventToFold[]> {
  if (log.batches) {
    yield* log.batches(options);
    return;
  }
  let page: EventToFold[] = [];
  for await (const event of log.readAll(options)) {
    if (page.push(event) < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

const PAGE = 1_000;
