import type { GoogleStandIn } from '../../demo/google/google-stand-in';
import type { BuiltPages } from '../../pages/built-pages';

/** The built pages, and the settings that they show. */
export type PageSettings = Readonly<{
  /** Undefined if no pages were built. */
  pages: BuiltPages | undefined;
  /** Whether this store was founded as a demo; every page of a demo shows a note. */
  demo: boolean;
  /** Whether the store has never had an account; the log-in page then explains how to create the first operator. */
  needsFirstAccount: () => Promise<boolean>;
  /** The demo's stand-in for Google; undefined outside the demo, and if the settings name a client at Google. */
  googleStandIn: GoogleStandIn | undefined;
}>;
export const PAGE_SETTINGS: unique symbol = Symbol('PageSettings');
