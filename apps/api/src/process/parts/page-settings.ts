import type { BuiltPages } from '../../pages/built-pages';

/** What pages are sent, and what stands on them. */
export type PageSettings = Readonly<{
  /** Undefined: no pages were built. */
  pages: BuiltPages | undefined;
  /** Whether this store was founded with examples; said on every page. */
  demo: boolean;
}>;
export const PAGE_SETTINGS: unique symbol = Symbol('PageSettings');
