import type { I18n } from '@lingui/core';
import { createContext, useContext } from 'react';
import type { PageConfig } from '../page-config';

export type ConsoleConfig = Readonly<{
  facts: PageConfig;
  /** The translated messages of the page; the same object as long as the page is open. */
  i18n: I18n;
  /**
   * Changes the language; false if the person has chosen another language before the messages arrived. @throws if the
   * browser cannot fetch the messages of this language
   */
  speak: (language: string) => Promise<boolean>;
}>;
export const ConsoleConfigContext = createContext<ConsoleConfig>(undefined as never);
export const useConsoleConfig = (): ConsoleConfig => useContext(ConsoleConfigContext);
