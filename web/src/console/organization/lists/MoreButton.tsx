import type { ReactNode } from 'react';
import { DisappearingButton } from '../../page-parts/DisappearingButton';

type MoreOf = Readonly<{
  query: Readonly<{ hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }>;
  children: ReactNode;
}>;

/** A button that loads the next page of a list. It is absent after the last page. */
export function MoreButton({ query, children }: MoreOf) {
  if (!query.hasNextPage) return null;
  return (
    <DisappearingButton isBusy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
      {children}
    </DisappearingButton>
  );
}
