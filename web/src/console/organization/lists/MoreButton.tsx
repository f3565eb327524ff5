import type { ReactNode } from 'react';
import styles from '../../page-parts/Controls.module.css';

type MoreOf = Readonly<{
  query: Readonly<{ hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }>;
  children: ReactNode;
}>;

/** A button that loads the next page of a list. It is absent after the last page. */
export function MoreButton({ query, children }: MoreOf) {
  if (!query.hasNextPage) return null;
  return (
    <button
      type="button"
      className={styles['button']}
      disabled={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {children}
    </button>
  );
}
