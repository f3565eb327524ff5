import { useLingui } from '@lingui/react';
import { createElement, type ReactNode, useSyncExternalStore } from 'react';
import { printedMoment, timeZone } from '../choices/time-zone';
import { useText } from '../text';
import type { FileFlaw } from './file-check/flaws';

/**
 * Functions that print the texts of the proof pages. The functions need no session, so the public page also uses them.
 */
export function useProofWords() {
  const text = useText();
  const { i18n } = useLingui();
  const number = (value: number) => new Intl.NumberFormat(i18n.locale).format(value);
  useSyncExternalStore(timeZone.listen, timeZone.current, timeZone.current);
  /**
   * A moment as date and time with seconds, with the time zone. A file can contain a text that is not a moment; such a
   * text stays unchanged.
   */
  const second = (moment: string) =>
    Number.isNaN(Date.parse(moment))
      ? moment
      : printedMoment(moment, i18n.locale, { dateStyle: 'medium', timeStyle: 'medium' });
  /**
   * The sentence about a flaw. Each text from the file is a separate `bdi` element, so that its writing direction does
   * not change the sentence.
   */
  const flaw = ({ code, line, revision, values = {} }: FileFlaw): ReactNode => {
    const given = Object.values(values);
    const marks = Object.keys(values).map((name, index) => [name, `${MARK}${index}${MARK}`]);
    const reason = i18n._(`flaw.${code}`, Object.fromEntries(marks) as Record<string, string>);
    return sentence(reason, line, revision)
      .split(MARK)
      .map((part, index) => (index % 2 === 0 ? part : createElement('bdi', { key: index }, given[Number(part)])));
  };
  const sentence = (reason: string, line?: number, revision?: number): string => {
    if (line === undefined) return reason;
    if (revision === undefined) return text('flaw-at.line', { line: number(line), reason });
    return text('flaw-at.event', { line: number(line), revision: number(revision), reason });
  };
  return { text, number, second, flaw };
}

/**
 * In the placeholder for a value, this character stands before and after the index of the value. No message contains
 * this character.
 */
const MARK = '\u0000';
