import type { Difference } from '@charter/client';
import { type DifferenceLine, differenceGroups } from '../differences/difference-lines';
import type { HistoryWords } from '../wording/useHistoryWords';
import { causeInWords } from './CauseList';

/** The comparison as Markdown, for a ticket or a letter. The moments in the text have the ISO form. */
export function asMarkdown(title: string, lines: readonly DifferenceLine[], words: HistoryWords): string {
  const { text } = words;
  const groups = differenceGroups.flatMap((group) => {
    const own = lines.filter((line) => line.group === group);
    return own.length === 0 ? [] : [`## ${text(`group.${group}`)}\n`, ...own.map((line) => lineOf(line, words)), ''];
  });
  // Removes the invisible characters that isolate text of another writing direction, because only the pages need them.
  return [`# ${title}`, '', ...groups].join('\n').replace(/[\u2068\u2069]/g, '');
}

function lineOf({ title, before, after, causes }: DifferenceLine, words: HistoryWords): string {
  const none = words.text('moment.none');
  const reasons = causes.map((cause) => {
    const marks = [
      cause.backDated && words.text('compare.back-dated', { moment: cause.effectiveAt ?? cause.at }),
      cause.endedAt !== undefined && words.text('compare.ended', { moment: cause.endedAt }),
    ].filter(Boolean);
    return `  - #${cause.revision} ${causeInWords(cause, cause.at, words)}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
  });
  return [`- ${plain(title)}: ${plain(before ?? none)} → ${plain(after ?? none)}`, ...reasons].join('\n');
}

/** Escapes the characters that have a meaning in Markdown. */
const plain = (text: string) => text.replace(/[\\`*_[\]<>#|]/g, '\\$&').replace(/\s+/g, ' ');

/**
 * The comparison as JSON Patch (RFC 6902) between the recorded states.
 * @param backwards whether the patch leads from the later state to the earlier state
 */
export function asPatch({ state }: Difference, backwards: boolean): string {
  const patch = backwards ? [...state].reverse().map(reversed) : state;
  return JSON.stringify(
    patch.map(({ op, path, value }) => (op === 'remove' ? { op, path } : { op, path, value })),
    null,
    2,
  );
}

type Operation = Difference['state'][number];
const opposite = { add: 'remove', remove: 'add', replace: 'replace' } as const;

/** The JSON Patch operation that undoes another operation. */
const reversed = ({ op, path, before, value }: Operation) => ({ op: opposite[op], path, before: value, value: before });
