import type { BuiltPages } from '../../pages/built-pages';

/** The built pages, and the settings that they show. */
export type PageSettings = Readonly<{
  /** Undefined if no pages were built. */
  pages: BuiltPages | undefined;
  /** Whether this store was founded as a demo; every page of a demo shows a note. */
  demo: boolean;
}>;
export const PAGE_SETTINGS: unique symbol = Symbol('PageSettings');
