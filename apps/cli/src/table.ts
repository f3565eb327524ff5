import { styleText } from 'node:util';

/** Rows under their heads, columns aligned, numbers to the right. Text from outside cannot steer the terminal. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(harmless));
  const columns = heads.map((head, column) => {
    const texts = cells.map((row) => row[column] ?? '');
    return { width: Math.max(...[head, ...texts].map(widthOf)), right: texts.every((text) => isAmount(text)) };
  });
  const line = (row: readonly string[]) =>
    columns
      .map(({ width, right }, column) => padded(row[column] ?? '', width, right))
      .join('  ')
      .trimEnd();
  return [styleText('bold', line(heads), { stream: process.stdout }), ...cells.map(line)].join('\n');
}

/** The same for rows that come one by one: a cell that is wider than its column moves only the rest of its own line. */
export function columns(heads: readonly Readonly<{ head: string; width: number; right?: true }>[]) {
  const line = (row: readonly string[]) =>
    heads
      .map(({ head, width, right = false }, at) => padded(row[at] ?? '', Math.max(width, head.length), right))
      .join('  ')
      .trimEnd();
  return {
    head: styleText('bold', line(heads.map(({ head }) => head)), { stream: process.stdout }),
    line: (row: readonly string[]) => line(row.map(harmless)),
  };
}

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

/** Columns that a terminal takes for it: two for what is wide in East Asian writing, one for any other character. */
const widthOf = (text: string): number =>
  [...segments.segment(text)].reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0);
const segments = new Intl.Segmenter();
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
