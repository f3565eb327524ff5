import type { BuiltPages } from '../../pages/built-pages';

/** The built pages and their settings. */
export type PageSettings = Readonly<{
  /** Undefined: no pages were built. */
  pages: BuiltPages | undefined;
  /** Whether this store holds the demo organizations. Every page shows it. */
  demo: boolean;
}>;
export const PAGE_SETTINGS: unique symbol = Symbol('PageSettings');
