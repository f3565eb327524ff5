import type { I18n } from '@lingui/core';
import { createContext, useContext } from 'react';
import type { PageConfig } from '../page-config';

export type ConsoleConfig = Readonly<{
  facts: PageConfig;
  /** The messages of the page; the same object for the whole visit. */
  i18n: I18n;
  /** Changes the language. @throws if its messages cannot be fetched */
  speak: (language: string) => Promise<void>;
}>;
export const ConsoleConfigContext = createContext<ConsoleConfig>(undefined as never);
export const useConsoleConfig = (): ConsoleConfig => useContext(ConsoleConfigContext);
