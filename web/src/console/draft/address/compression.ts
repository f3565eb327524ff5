/** Compresses the UTF-8 bytes of a text (deflate). */
export const compressed = (text: string): Promise<Uint8Array> =>
  bytesOf(through(new TextEncoder().encode(text), new CompressionStream('deflate-raw')));

/**
 * Decompresses the bytes of a text; undefined if the text has more than `max` bytes, because few compressed bytes can
 * expand to very many.
 * @throws for bytes that are not compressed text in UTF-8
 */
export async function expanded(bytes: Uint8Array<ArrayBuffer>, max: number): Promise<string | undefined> {
  const all = await bytesOf(through(bytes, new DecompressionStream('deflate-raw')), max);
  return all && new TextDecoder('utf-8', { fatal: true }).decode(all);
}

type Transform = CompressionStream | DecompressionStream;

function through(bytes: Uint8Array<ArrayBuffer>, { readable, writable }: Transform): ReadableStream<Uint8Array> {
  const writer = writable.getWriter();
  const ignore = () => undefined; // the reader gets the same error
  writer.write(bytes).catch(ignore);
  writer.close().catch(ignore);
  return readable;
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array>;
async function bytesOf(stream: ReadableStream<Uint8Array>, max: number): Promise<Uint8Array | undefined>;
async function bytesOf(stream: ReadableStream<Uint8Array>, max = Infinity): Promise<Uint8Array | undefined> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done: isDone, value } = await reader.read();
    if (isDone) break;
    chunks.push(value);
    length += value.length;
    if (length > max) {
      reader.cancel().catch(() => undefined);
      return undefined;
    }
  }
  const all = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    all.set(chunk, end);
    end += chunk.length;
  }
  return all;
}
