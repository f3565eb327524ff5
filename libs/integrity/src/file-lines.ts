import { lineRefused } from './log-export/export-format';

/**
 * The maximum size of a line, larger than any line of an export: the store limits the size of events (`event-log.md`
 * A6).
 */
const LINE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Splits bytes into lines. Keeps only one line in memory.
 * @throws ImportRefused for bytes that are not UTF-8, for a line that is too long, and for a last line without a line
 * break
 */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 0;
  const line = (): string => {
    number += 1;
    const whole = parts.length === 1 ? parts[0] : Buffer.concat(parts);
    [parts, length] = [[], 0];
    try {
      return decoder.decode(whole);
    } catch {
      throw lineRefused('it is not UTF-8', number);
    }
  };
  for await (const piece of bytes) {
    let from = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, from)) {
      parts.push(piece.subarray(from, end));
      from = end + 1;
      yield line();
    }
    if (from === piece.length) continue;
    parts.push(piece.subarray(from));
    length += piece.length - from;
    if (length > LINE_BYTES_MAX) throw lineRefused('it is too long to be a line of an export', number + 1);
  }
  if (length > 0) throw lineRefused('it does not end: the file was cut off', number + 1);
}

const LINE_FEED = 10;
