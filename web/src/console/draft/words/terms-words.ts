import { typed } from '../../organization/history/wording/typed-text';
import type { ConsoleWords } from '../../words';

/** The maximum number of nested levels. The service accepts no terms with more levels. */
const DEPTH_MAX = 8;

/**
 * Terms of a plan or grants of an add-on that a command contains, in words. The text contains every value of the terms,
 * because every value takes effect when the draft is committed. A draft can come from a link, so the value may have any
 * form.
 */
export function termsInWords(value: unknown, words: ConsoleWords, depth = 0): string {
  const { text, number, list } = words;
  if (value === null || value === undefined) return text('moment.none');
  if (typeof value === 'boolean') return text(value ? 'features.on' : 'features.off');
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return partName(value, words);
  if (depth === DEPTH_MAX) return '…';
  const parts = Array.isArray(value)
    ? (value as readonly unknown[]).map((one) => termsInWords(one, words, depth + 1))
    : Object.entries(value).map(([part, inner]: [string, unknown]) => {
        const printed = termsInWords(inner, words, depth + 1);
        const isGroup = typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0;
        return isGroup
          ? `${partName(part, words)} (${printed})`
          : text('command.terms.part', { part: partName(part, words), value: printed });
      });
  return parts.length === 0 ? text('moment.none') : list(parts);
}

/** The name of a part of the terms, or of a resource or feature. Unknown names come from the draft's address. */
function partName(part: string, { text, has, name }: ConsoleWords): string {
  const message = `command.terms.${part}`;
  if (has(message)) return text(message);
  const known = name(part);
  return known === part ? typed(part) : known;
}
