import { joined } from './byte-text';
import { refusal } from './flaws';

/** The maximum size of a line in bytes, the same as in the command line's check of exports. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;
const LINE_FEED = 10;

/** Splits the pieces of a file into lines. Keeps one unfinished line in memory. */
export function lineSplitter(maxBytes = LINE_BYTES_MAX) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 0;

  const take = (end: Uint8Array): string => {
    number += 1;
    const bytes = parts.length === 0 ? end : joined(...parts, end);
    [parts, length] = [[], 0];
    try {
      return decoder.decode(bytes);
    } catch {
      throw refusal('not-utf8', number);
    }
  };

  return {
    /**
     * Yields the lines that end in this piece. The caller must read all these lines before it adds the next piece.
     * @throws FileRefused for bytes that are not UTF-8 and for a line that is too long. The generator first yields the
     * lines before the wrong line.
     */
    *add(piece: Uint8Array): Generator<string, void> {
      let from = 0;
      for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, from)) {
        const line = piece.subarray(from, end);
        from = end + 1;
        yield take(line);
      }
      if (from === piece.length) return;
      parts.push(piece.slice(from)); // a copy, so that the whole piece does not stay in memory
      length += piece.length - from;
      if (length > maxBytes) throw refusal('line-too-long', number + 1);
    },
    /** @throws FileRefused for a last line without a line break */
    end(): void {
      if (length > 0) throw refusal('unfinished-line', number + 1);
    },
  };
}
