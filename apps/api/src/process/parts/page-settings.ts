import type { BuiltPages } from '../../pages/built-pages';

/** The built pages, and the settings that they show. */
export type PageSettings = Readonly<{
  /** Undefined if no pages were built. */
  pages: BuiltPages | undefined;
  /** Whether this store contains the demo organizations. Every page shows this. */
  demo: boolean;
}>;
export const PAGE_SETTINGS: unique symbol = Symbol('PageSettings');
