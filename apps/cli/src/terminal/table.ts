import { styleText } from 'node:util';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

type Cells = readonly string[];

/**
 * Prints rows under their headings in aligned columns: numbers to the right, text to the left. On a terminal, cells
 * wrap so that no line is wider than the terminal. If there is no room for a column, each of its cells is printed below
 * its row, with the column's heading. In a pipe or file, no line wraps. Control characters are replaced.
 * @param width the terminal's width in columns
 */
export function table(heads: Cells, rows: readonly Cells[], width = terminalWidth()): string {
  const { head, line } = columns(heads, rows, width);
  return [head, ...rows.map(line)].join('\n');
}

/**
 * Prints rows one at a time. The first rows determine the widths. A wider cell in a later row moves only its own line.
 */
export function columns(heads: Cells, first: readonly Cells[], width = terminalWidth()) {
  const all = heads.map((head, at) =>
    columnOf(
      head,
      first.map((row) => withoutControlCharacters(row[at] ?? '')),
    ),
  );
  const beside = columnsBeside(all, width);
  const lineOf = (cells: readonly (readonly string[])[]) =>
    Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, number) =>
      beside
        .map((column, at) => padded(cells[at]?.[number] ?? '', column.width, column.right))
        .join(GAP)
        .trimEnd(),
    );
  return {
    head: styleText('bold', lineOf(beside.map(({ head }) => [head])).join(''), { stream: process.stdout }),
    line: (row: Cells) => {
      const cells = heads.map((_, at) => withoutControlCharacters(row[at] ?? ''));
      const below = all.slice(beside.length).map(({ head }, at) => `${head}: ${cells[beside.length + at]}`);
      return [
        ...lineOf(beside.map((column, at) => wrapped(cells[at]!, width === Infinity ? width : column.width))),
        ...below.flatMap((text) => wrapped(text, width - INDENT.length).map((piece) => INDENT + piece)),
      ].join('\n');
    },
  };
}

type Column = Readonly<{ head: string; width: number; least: number; right: boolean }>;

function columnOf(head: string, texts: Cells): Column {
  const width = widest([head, ...texts]);
  const word = widest([head, ...texts.flatMap((text) => text.split(' '))]);
  const least = Math.min(width, Math.max(LEAST_WIDTH, Math.min(word, UUID_WIDTH)));
  return { head, width, least, right: texts.every(isAmount) && texts.some((text) => /\d/.test(text)) };
}
const LEAST_WIDTH = 24;
const UUID_WIDTH = 36;
const GAP = '  ';
const INDENT = '    ';

/** The columns that fit on one line, with their widths. The widest columns get the remaining room. */
function columnsBeside(all: readonly Column[], room: number): readonly Column[] {
  const least = all.map((column) => Math.min(column.least, room));
  const taken = (columns: number) =>
    least.slice(0, columns).reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  const firstWithoutRoom = all.findIndex((_, at) => taken(at + 1) > room);
  const beside = firstWithoutRoom < 0 ? all : all.slice(0, firstWithoutRoom);
  let spare = room - taken(beside.length);
  const widths = new Map<Column, number>();
  for (const [at, column] of [...beside.entries()].sort(([, one], [, other]) => other.width - one.width)) {
    const more = Math.min(spare, column.width - least[at]!);
    widths.set(column, least[at]! + more);
    spare -= more;
  }
  return beside.map((column) => ({ ...column, width: widths.get(column)! }));
}

/** Breaks a text between words; a word that is wider than the column is broken inside. */
const wrapped = (text: string, width: number): readonly string[] =>
  stringWidth(text) <= width ? [text] : wrapAnsi(text, width, { hard: true }).split('\n');

/** The width of the terminal; infinite for a pipe or a file, because lines do not wrap there. */
const terminalWidth = () => (process.stdout.isTTY && process.stdout.columns) || Infinity;

/** Prints each name with its value on a separate line. */
export function pairs(entries: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...entries.map(([name]) => stringWidth(name)));
  return entries
    .map(([name, value]) => `${padded(name, width, false)}  ${withoutControlCharacters(value)}`.trimEnd())
    .join('\n');
}

/** Replaces control characters, so that text from outside cannot control the terminal. */
// eslint-disable-next-line no-control-regex -- this code replaces exactly the characters that the rule forbids
export const withoutControlCharacters = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');

const isAmount = (text: string) => /^([\d.,]+|-|unlimited|unknown)$/.test(text);

const padded = (text: string, width: number, right: boolean) => {
  const gap = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return right ? gap + text : text + gap;
};

const widest = (texts: Cells): number => texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
