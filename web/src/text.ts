import { useLingui } from '@lingui/react';

/** Returns the text with this id in the language of the page. */
export type Translate = (id: string, values?: Readonly<Record<string, unknown>>) => string;

export function useText(): Translate {
  const { i18n } = useLingui();
  return (id, values) => i18n._(id, values);
}
