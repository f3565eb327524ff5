import { createContext, useContext } from 'react';
import type { PageConfig } from '../page-config';

/** The ports of the sign-in pages to browser and network. Specs pass their own. */
export type BrowserPorts = Readonly<{
  facts: PageConfig;
  /** POST with a JSON body. @throws the error of axios */
  post: (path: string, body: object) => Promise<unknown>;
  /** A full navigation. */
  go: (address: string) => void;
  /** Prefetches the files of the next page. */
  prefetch: (addresses: readonly string[]) => void;
  /** The token of the opened mailed link. Neither the address bar nor the store contains it. */
  linkToken: string;
  /** True if a session has just ended by itself. */
  wasSignedOut: boolean;
  speak: (language: string) => Promise<void>;
  /** Values that one page passes to another, in memory only. */
  carried: { email: string };
}>;

export const BrowserPortsContext = createContext<BrowserPorts>(undefined as never);
export const useBrowserPorts = (): BrowserPorts => useContext(BrowserPortsContext);
