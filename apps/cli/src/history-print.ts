import type { StoredEvent } from '@charter/event-log';
import { eventSentence, metadataOf, spokenActor } from './event-sentence';
import { written } from './output';
import { spokenMoment } from './spoken';
import { columns } from './table';

/** Prints event by event; what it holds back meanwhile goes out at the end. */
export type Printing = Readonly<{ event: (event: StoredEvent) => Promise<void>; end: () => Promise<void> }>;

/** An event on each line, as the interface prints it. */
export function printLines(): Printing {
  const put = inPieces();
  return {
    event: ({ id, type, stream, revision, position, data, metadata }) =>
      put.line(JSON.stringify({ id, type, stream, revision: Number(revision), position, data, metadata })),
    end: put.end,
  };
}

/** A table for people. @param last the newest revision */
export function printTable(last: number): Printing {
  const put = inPieces();
  const print = columns([
    { head: 'RECORDED', width: MOMENT_WIDTH },
    { head: 'REVISION', width: String(last).length, right: true },
    { head: 'WHAT', width: WHAT_WIDTH },
    { head: 'WHO', width: 0 },
  ]);
  let isEmpty = true;
  return {
    event: async (event) => {
      if (isEmpty) await put.line(print.head);
      isEmpty = false;
      const { at, actor } = metadataOf(event);
      const cells = [at === undefined ? '-' : spokenMoment(at), String(event.revision)];
      await put.line(print.line([...cells, eventSentence(event), spokenActor(actor)]));
    },
    end: async () => {
      if (isEmpty) await put.line('There are no such events.');
      await put.end();
    },
  };
}

const MOMENT_WIDTH = 'YYYY-MM-DD hh:mm:ss UTC'.length;
/** Room for what most events say; a longer one moves only its own line. */
const WHAT_WIDTH = 60;

/** Many lines are handed on at once. */
function inPieces() {
  let piece = '';
  const end = async () => {
    if (piece !== '') await written(piece);
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
