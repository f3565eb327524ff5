import { contentOf, metadataOf, type StoredEvent } from '@charter/event-log';
import { eventSentence, recorderOf } from './event-sentence';
import { repetitionMark, type Repetitions } from './repetition';
import { jsonText } from '../terminal/json-text';
import { writeOutput } from '../terminal/output';
import { columns } from '../terminal/table';

/** Prints one event at a time. `end` prints the events that are still in the buffer. */
export type EventPrinter = Readonly<{ event: (event: StoredEvent) => Promise<void>; end: () => Promise<void> }>;

/** Prints each event on a line as JSON, like the NDJSON answers of the HTTP API. */
export function linePrinter(repetitions: Repetitions): EventPrinter {
  const put = inPieces();
  return {
    event: (event) => {
      const { id, type, stream, revision, position } = event;
      const { data, metadata } = contentOf(event) ?? { data: null, metadata: null };
      const repeats = repetitions.get(Number(revision));
      return put.line(jsonText({ id, type, stream, revision: Number(revision), position, data, metadata, repeats }));
    },
    end: put.end,
  };
}

/** Prints a table for people; the first events determine the widths of the columns. */
export function tablePrinter(repetitions: Repetitions): EventPrinter {
  const put = inPieces();
  const first: string[][] = [];
  let print: ReturnType<typeof columns> | undefined;
  const begin = async () => {
    print = columns(['RECORDED', 'REVISION', 'WHAT', 'WHO'], first);
    await put.line(print.head);
    for (const row of first) await put.line(print.line(row));
  };
  return {
    event: async (event) => {
      const what = `${eventSentence(event)}${repetitionMark(event, repetitions)}`;
      const row = [metadataOf(event).at ?? '-', String(event.revision), what, recorderOf(event)];
      if (print) await put.line(print.line(row));
      else if (first.push(row) === LAID_OUT_FOR) await begin();
    },
    end: async () => {
      if (!print && first.length > 0) await begin();
      if (!print) await put.line('No event matches.');
      await put.end();
    },
  };
}
const LAID_OUT_FOR = 100;

/** Collects lines and writes them in pieces of at least `PIECE` characters. */
function inPieces() {
  let piece = '';
  const end = async () => {
    if (piece !== '') await writeOutput(piece);
    piece = '';
  };
  return {
    end,
    line: async (line: string) => {
      piece += `${line}\n`;
      if (piece.length >= PIECE) await end();
    },
  };
}
const PIECE = 64 * 1024;
