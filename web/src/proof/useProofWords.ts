import { useLingui } from '@lingui/react';
import { useText } from '../text';
import type { FileFlaw } from './file-check/flaws';

/** Functions that print the texts of the proof pages. They need no session, so the public page uses them too. */
export function useProofWords() {
  const text = useText();
  const { i18n } = useLingui();
  const number = (value: number) => new Intl.NumberFormat(i18n.locale).format(value);
  /** In UTC, so that evidence names the same moment in every time zone. */
  const utc = (moment: string) => {
    const date = new Date(moment);
    if (Number.isNaN(date.getTime())) return moment;
    const style = { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' } as const;
    return `${new Intl.DateTimeFormat(i18n.locale, style).format(date)} UTC`;
  };
  const reason = ({ code, values = {} }: FileFlaw) => i18n._(`flaw.${code}`, values);
  const flaw = (found: FileFlaw) => {
    const { line, revision } = found;
    if (line === undefined) return reason(found);
    if (revision === undefined) return text('flaw-at.line', { line: number(line), reason: reason(found) });
    return text('flaw-at.event', { line: number(line), revision: number(revision), reason: reason(found) });
  };
  return { text, number, utc, reason, flaw };
}
