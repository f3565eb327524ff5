import { useLingui } from '@lingui/react';

/** Returns the text with this id in the language of the page. */
export type Translate = (id: string, values?: Readonly<Record<string, unknown>>) => string;

/**
 * The values of a message with a waiting time, which is in whole minutes from 90 seconds on. For a shorter time,
 * `minutes` is 0, and the message contains the seconds.
 */
export const waitOf = (seconds: number) => ({ seconds, minutes: seconds < 90 ? 0 : Math.ceil(seconds / 60) });

export function useText(): Translate {
  const { i18n } = useLingui();
  return (id, values) => i18n._(id, values);
}
