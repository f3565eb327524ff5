import { createContext, useContext } from 'react';
import type { Facts } from '../page-config';

export type ConsoleFacts = Readonly<{ facts: Facts; speak: (language: string) => Promise<void> }>;
export const FactsContext = createContext<ConsoleFacts>(undefined as never);
export const useFacts = (): ConsoleFacts => useContext(FactsContext);
