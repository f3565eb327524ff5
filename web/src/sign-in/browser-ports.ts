import { createContext, useContext } from 'react';
import type { PageConfig } from '../page-config';

/** How the sign-in pages reach the world. Handed to them, so that a spec can hand over another. */
export type BrowserPorts = Readonly<{
  facts: PageConfig;
  /** POST with a JSON body. @throws what axios throws */
  post: (path: string, body: object) => Promise<unknown>;
  /** A full navigation. */
  go: (address: string) => void;
  /** Fetches what the next page will want. */
  prefetch: (addresses: readonly string[]) => void;
  /** The token of the mailed link that led here, taken out of the address bar; never in the store. */
  linkToken: string;
  /** True when the session ended by itself just before. */
  wasSignedOut: boolean;
  speak: (language: string) => Promise<void>;
  /** What moves from one page to the other, in memory only. */
  carried: { email: string };
}>;

export const BrowserPortsContext = createContext<BrowserPorts>(undefined as never);
export const useBrowserPorts = (): BrowserPorts => useContext(BrowserPortsContext);
