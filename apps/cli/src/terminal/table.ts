import { styleText } from 'node:util';

type Row = readonly string[];

/**
 * Rows under their heads, columns aligned, numbers to the right. On a terminal cells are broken at its width, and a column
 * for which there is no room stands below, with its head; anywhere else all is whole. Text from outside cannot steer the terminal.
 * @param width of the terminal, in columns
 */
export function table(heads: Row, rows: readonly Row[], width = terminalWidth()): string {
  const { head, line } = columns(heads, rows, width);
  return [head, ...rows.map(line)].join('\n');
}

/** The same for rows that come one by one: laid out for the first ones, and what is wider than these moves only its own line. */
export function columns(heads: Row, first: readonly Row[], width = terminalWidth()) {
  const all = heads.map((head, at) =>
    columnOf(
      head,
      first.map((row) => harmless(row[at] ?? '')),
    ),
  );
  const beside = besides(all, width);
  const lineOf = (cells: readonly (readonly string[])[]) =>
    Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, number) =>
      beside
        .map((column, at) => padded(cells[at]?.[number] ?? '', column.width, column.right))
        .join(GAP)
        .trimEnd(),
    );
  return {
    head: styleText('bold', lineOf(beside.map(({ head }) => [head])).join(''), { stream: process.stdout }),
    line: (row: Row) => {
      const cells = heads.map((_, at) => harmless(row[at] ?? ''));
      const below = all.slice(beside.length).map(({ head }, at) => `${head}: ${cells[beside.length + at]}`);
      return [
        ...lineOf(beside.map((column, at) => broken(cells[at]!, width === Infinity ? width : column.width))),
        ...below.flatMap((text) => broken(text, width - INDENT.length).map((piece) => INDENT + piece)),
      ].join('\n');
    },
  };
}

type Column = Readonly<{ head: string; width: number; least: number; right: boolean }>;

function columnOf(head: string, texts: Row): Column {
  const width = widest([head, ...texts]);
  const word = widest([head, ...texts.flatMap((text) => text.split(' '))]);
  const least = Math.min(width, Math.max(LEAST_WIDTH, Math.min(word, UUID_WIDTH)));
  return { head, width, least, right: texts.every(isAmount) && texts.some((text) => /\d/.test(text)) };
}
const LEAST_WIDTH = 24;
const UUID_WIDTH = 36;
const GAP = '  ';
const INDENT = '    ';

/** The columns that have room beside each other; what is left of it goes to those that need it most. */
function besides(all: readonly Column[], room: number): readonly Column[] {
  const least = all.map((column) => Math.min(column.least, room));
  const taken = (columns: number) =>
    least.slice(0, columns).reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  const crowded = all.findIndex((_, at) => taken(at + 1) > room);
  const beside = crowded < 0 ? all : all.slice(0, crowded);
  let spare = room - taken(beside.length);
  const widths = new Map<Column, number>();
  for (const [at, column] of [...beside.entries()].sort(([, one], [, other]) => other.width - one.width)) {
    const more = Math.min(spare, column.width - least[at]!);
    widths.set(column, least[at]! + more);
    spare -= more;
  }
  return beside.map((column) => ({ ...column, width: widths.get(column)! }));
}

/** Between words where that is possible. */
function broken(text: string, width: number): readonly string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) <= width) line += ` ${word}`;
    else {
      if (line !== '') lines.push(line);
      line = '';
      for (const { segment } of segments.segment(word)) {
        if (widthOf(line) + widthOf(segment) > width) {
          lines.push(line);
          line = '';
        }
        line += segment;
      }
    }
  }
  return [...lines, line];
}

/** What is read by a program or kept in a file has all the room that it needs. */
const terminalWidth = () => (process.stdout.isTTY && process.stdout.columns) || Infinity;

/** Names and what they stand for, one on each line. */
export function pairs(entries: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...entries.map(([name]) => widthOf(name)));
  return entries.map(([name, value]) => `${padded(name, width, false)}  ${harmless(value)}`.trimEnd()).join('\n');
}

/** Control characters from a file or a message are shown, not obeyed. */
// eslint-disable-next-line no-control-regex -- exactly these are looked for
export const harmless = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');

const isAmount = (text: string) => /^([\d.,]+|-|unlimited|unknown)$/.test(text);

const padded = (text: string, width: number, right: boolean) => {
  const gap = ' '.repeat(Math.max(0, width - widthOf(text)));
  return right ? gap + text : text + gap;
};

const widest = (texts: Row): number => texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);

/** How many columns a terminal takes for it: two for what is wide in East Asian writing, one for any other character. */
const widthOf = (text: string): number =>
  /^[ -~]*$/.test(text)
    ? text.length
    : [...segments.segment(text)].reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0);
const segments = new Intl.Segmenter();
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
