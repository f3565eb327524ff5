import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';

/**
 * The destination of log lines. A write never blocks. While too many characters wait to be written, or if a write
 * fails, the sink drops and counts lines (`acceptance.md` T6). Later, a log line contains the number of dropped lines;
 * `pino.destination({ maxLength })` cannot write such a line (`docs/adr/0017-own-code-beside-libraries.md`).
 */
export type LogSink = Readonly<{
  /** Writes a line; `line` ends with a line break. */
  write: (line: string) => void;
  /** The number of lines that were dropped so far. */
  dropped: () => number;
  /** Resolves when all waiting lines are written, or after `withinMs` milliseconds. */
  flushed: (withinMs: number) => Promise<void>;
}>;

/** The maximum number of characters that wait while the reader of the output is slow. */
const WAITING_CHARACTERS_MAX = 1024 * 1024;

/**
 * The log sink that writes to the process's standard output. If the output is a pipe or socket, lines wait in memory
 * until the reader has read earlier lines. If the output is a file, lines are written at once.
 */
export const standardOutput = (): LogSink => {
  const kind = fstatSync(1);
  return kind.isFIFO() || kind.isSocket() || process.stdout.isTTY ? streamSink(process.stdout) : fileSink(1);
};

/** A log sink that writes to a stream such as a pipe. The reader of a pipe can stop reading, or close the pipe. */
function streamSink(output: Writable, charactersMax = WAITING_CHARACTERS_MAX): LogSink {
  const drops = droppedLines();
  let [isGone, isFull] = [false, false];
  output.on('error', () => (isGone = true));
  const written = (error?: Error | null) => {
    if (error) drops.add();
  };

  return {
    write: (line) => {
      const waiting = output.writableLength;
      // above the limit, drops all lines until half of the limit is free, so that the log has one gap instead of many
      isFull = waiting + line.length > charactersMax || (isFull && waiting > charactersMax / 2);
      if (isGone || isFull) {
        drops.add();
      } else {
        output.write(drops.note() + line, written);
        drops.reported();
      }
    },
    dropped: drops.count,
    flushed: async (withinMs) => {
      if (isGone || output.writableLength === 0) return;
      await new Promise<void>((resolve) => {
        setTimeout(resolve, withinMs).unref();
        output.write('', () => resolve());
      });
    },
  };
}

/** A log sink that writes to a file. While the file's disk is full, the sink drops log lines. */
function fileSink(file: number): LogSink {
  const drops = droppedLines();
  let isTorn = false;
  return {
    write: (line) => {
      const bytes = Buffer.from(`${isTorn ? '\n' : ''}${drops.note()}${line}`);
      let written = 0;
      try {
        while (written < bytes.length) written += writeSync(file, bytes, written);
        isTorn = false;
        drops.reported();
      } catch {
        isTorn ||= written > 0;
        drops.add();
      }
    },
    dropped: drops.count,
    flushed: () => Promise.resolve(),
  };
}

/**
 * Counts dropped lines. `note` returns a log line with the number of lines that were dropped since the last call of
 * `reported`.
 */
function droppedLines() {
  let [count, reported] = [0, 0];
  return {
    count: () => count,
    add: () => void (count += 1),
    reported: () => void (reported = count),
    note: (): string => {
      if (count === reported) return '';
      const entry = { level: 40, time: new Date().toISOString(), service: 'charter', dropped: count - reported };
      return `${JSON.stringify({ ...entry, msg: 'lines of the log were dropped, because its reader was slow or its disk full' })}\n`;
    },
  };
}
