import { useLingui } from '@lingui/react';

/** The words of an id in the page's language. */
export type Translate = (id: string, values?: Readonly<Record<string, unknown>>) => string;

export function useText(): Translate {
  const { i18n } = useLingui();
  return (id, values) => i18n._(id, values);
}
