import { createContext, useContext } from 'react';
import type { PageConfig } from '../page-config';

/** The functions and values with which the sign-in pages use the browser and the network. Specs replace them. */
export type BrowserPorts = Readonly<{
  facts: PageConfig;
  /** Sends a POST request with a JSON body. @throws the error of axios */
  post: (path: string, body: object) => Promise<unknown>;
  /** Navigates to an address and loads a new document. */
  go: (address: string) => void;
  /** Prefetches the files of the next page. */
  prefetch: (addresses: readonly string[]) => void;
  /**
   * The token of the mailed link that the person has opened. Neither the address bar nor the Redux store contains this
   * token.
   */
  linkToken: string;
  /** True if the session has just ended without a log-out. */
  wasSignedOut: boolean;
  speak: (language: string) => Promise<unknown>;
  /** Values that one sign-in page passes to the next in memory, not in the address. */
  carried: { email: string };
}>;

export const BrowserPortsContext = createContext<BrowserPorts>(undefined as never);
export const useBrowserPorts = (): BrowserPorts => useContext(BrowserPortsContext);
