import type { I18n } from '@lingui/core';
import { createContext, useContext } from 'react';
import type { PageConfig } from '../page-config';

export type ConsoleConfig = Readonly<{
  facts: PageConfig;
  /** The translated messages of the page; the same object as long as the page is open. */
  i18n: I18n;
  /** Changes the language. @throws if the browser cannot fetch the messages of this language */
  speak: (language: string) => Promise<void>;
}>;
export const ConsoleConfigContext = createContext<ConsoleConfig>(undefined as never);
export const useConsoleConfig = (): ConsoleConfig => useContext(ConsoleConfigContext);
