/**
 * One block of a stream of server-sent events. A block without data may contain a comment, a new cursor, or the time
 * before the next connection (`retry`).
 */
export type ServerSentEvent = Readonly<{ id?: string; data?: string; retry?: number }>;

/** Reads server-sent events. Ends when the server ends the stream. @throws if the connection breaks */
export async function* serverSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield serverSentEventOf(block);
  }
}

function serverSentEventOf(block: string): ServerSentEvent {
  const event: { id?: string; data?: string; retry?: number } = {};
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === 'id' || name === 'data') event[name] = value;
    if (name === 'retry') event.retry = Number(value);
  }
  return event;
}
