import type { ReactNode } from 'react';
import { DisappearingButton } from '../../page-parts/DisappearingButton';

type MoreOf = Readonly<{
  query: Readonly<{ hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }>;
  children: ReactNode;
}>;

/**
 * A button that loads the next page of a list. It is absent after the last page. While the page loads, the button is
 * not `disabled`, because the browser would take the focus away from it.
 */
export function MoreButton({ query, children }: MoreOf) {
  if (!query.hasNextPage) return null;
  const isBusy = query.isFetchingNextPage;
  return (
    <DisappearingButton aria-disabled={isBusy} onClick={() => isBusy || query.fetchNextPage()}>
      {children}
    </DisappearingButton>
  );
}
