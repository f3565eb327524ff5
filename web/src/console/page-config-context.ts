import { createContext, useContext } from 'react';
import type { PageConfig } from '../page-config';

export type ConsoleConfig = Readonly<{ facts: PageConfig; speak: (language: string) => Promise<void> }>;
export const ConsoleConfigContext = createContext<ConsoleConfig>(undefined as never);
export const useConsoleConfig = (): ConsoleConfig => useContext(ConsoleConfigContext);
