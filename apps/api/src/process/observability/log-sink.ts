import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** Where the log goes. It waits for nobody: what finds no room is dropped and counted (`acceptance.md` T6). */
export type LogSink = Readonly<{
  /** One line, with its end. */
  write: (line: string) => void;
  /** How many lines were dropped so far. */
  dropped: () => number;
  /** Once everything that waits is written, or the time is up. */
  flushed: (withinMs: number) => Promise<void>;
}>;

/** Lines may wait for whoever reads them up to this length, together. */
const WAITING_CHARACTERS_MAX = 1024 * 1024;

/** The process's own output: a pipe or a socket is written to when it has room, and a file at once. */
export const standardOutput = (): LogSink => {
  const kind = fstatSync(1);
  return kind.isFIFO() || kind.isSocket() || process.stdout.isTTY ? streamSink(process.stdout) : fileSink(1);
};

/** A stream that takes what it is given and writes it when it can, such as a pipe, whose reader may stand still or go. */
function streamSink(output: Writable, charactersMax = WAITING_CHARACTERS_MAX): LogSink {
  const drops = tally();
  let [isGone, isFull] = [false, false];
  output.on('error', () => (isGone = true));
  const written = (error?: Error | null) => {
    if (error) drops.add();
  };

  return {
    write: (line) => {
      const waiting = output.writableLength;
      isFull = waiting + line.length > charactersMax || (isFull && waiting > charactersMax / 2); // no gap for every line
      if (isGone || isFull) {
        drops.add();
      } else {
        output.write(drops.note() + line, written);
        drops.told();
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

/** A file, whose disk may be full and have room again later. */
function fileSink(file: number): LogSink {
  const drops = tally();
  let isTorn = false;
  return {
    write: (line) => {
      const bytes = Buffer.from(`${isTorn ? '\n' : ''}${drops.note()}${line}`);
      let written = 0;
      try {
        while (written < bytes.length) written += writeSync(file, bytes, written);
        isTorn = false;
        drops.told();
      } catch {
        isTorn ||= written > 0;
        drops.add();
      }
    },
    dropped: drops.count,
    flushed: () => Promise.resolve(),
  };
}

/** What was dropped, and the line that tells of it as soon as there is room again. */
function tally() {
  let [count, told] = [0, 0];
  return {
    count: () => count,
    add: () => void (count += 1),
    told: () => void (told = count),
    note: (): string => {
      if (count === told) return '';
      const entry = { level: 40, time: new Date().toISOString(), service: 'charter', dropped: count - told };
      return `${JSON.stringify({ ...entry, msg: 'lines of the log were dropped: there was no room for them' })}\n`;
    },
  };
}
