import type { Preview } from '@charter/client';
import type { DraftCommand } from '../../../draft/address/draft-address';
import { changedValues } from '../../../draft/preview/changed-values';
import { commandInWords } from '../../../draft/words/command-words';
import type { useDraftWords } from '../../../draft/words/useDraftWords';

const columns = [
  ...['comparison.part', 'comparison.value', 'comparison.before'],
  ...['comparison.after', 'comparison.used', 'comparison.over'],
];

type Cell = string | number;
/** A row of the table with the columns part, value, before, after, in use, over by. The last cells may be missing. */
type Row = readonly Cell[];

/**
 * The effect of the tried changes as a CSV table. The table contains each value before and after the changes, in the
 * order of the page.
 */
export function planComparison(
  commands: readonly DraftCommand[],
  preview: Preview,
  words: ReturnType<typeof useDraftWords>,
): string {
  const { text, name } = words;
  const { features, limits, traffic, state, refused, alsoRefused = [] } = preview;
  const { removed, others } = changedValues(state, words);
  const [on, off] = [text('features.on'), text('features.off')];
  const amount = (limit: number | null): Cell => limit ?? text('limits.no-limit');
  const refusals = new Set([refused, ...alsoRefused].map((one) => one?.index));
  const rows: readonly Row[] = [
    columns.map((column) => text(column)),
    ...commands.map((command, index): Row => {
      const part = refusals.has(index) ? 'comparison.refused' : 'comparison.tried';
      return [text(part), commandInWords(command, words)];
    }),
    ...removed.map(({ title, before, after }): Row => [text('comparison.lost'), title, before, after]),
    ...features.lost.map((feature): Row => [text('comparison.lost'), name(feature), on, off]),
    ...Object.entries(limits).map(([resource, { before, after }]): Row => {
      const values = [amount(before.limit), amount(after.limit), after.used, after.over];
      return [text('comparison.limit'), name(resource), ...values];
    }),
    ...features.gained.map((feature): Row => [text('comparison.gained'), name(feature), off, on]),
    ...trafficRows(traffic, amount).map((values): Row => [text('comparison.limit'), text('draft.traffic'), ...values]),
    ...others.map(({ title, before, after }): Row => [text('comparison.other'), title, before, after]),
  ];
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

/**
 * The allowance of page views before and after the change, the page views of the month, and the number of page views
 * above the allowance. No row if the allowance stays the same.
 */
function trafficRows({ before, after }: Preview['traffic'], amount: (limit: number | null) => Cell): readonly Row[] {
  if (before.allowance === after.allowance) return [];
  const { month, views, allowance } = after;
  const used = month === null ? [] : [views, Math.max(0, views - (allowance ?? views))];
  return [[amount(before.allowance), amount(allowance), ...used]];
}

/**
 * The text of a CSV cell, in quotes. If a text begins like a formula, an apostrophe before it stops a spreadsheet from
 * executing it. The Unicode isolates around typed text are removed, because only the pages need them.
 */
function cellText(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const plain = cell.replace(/[\u2066-\u2069]/g, '');
  const guarded = /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return `"${guarded.replaceAll('"', '""')}"`;
}
