import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { focusState } from '../../lists/useFocusOfLink';

/** The name of the part of the plan page that contains the form for trying a plan (`useFocusOfLink`). */
export const TRY = 'try';
/** The name of the part of the plan page that shows the effect of the tried changes (`useFocusOfLink`). */
export const TRIED = 'tried';

type LinkOf = Readonly<{
  id: string;
  /** The tried change, in the form of the query parameter `try` (`tried-changes.ts`). */
  wish: string;
  children: ReactNode;
}>;

/** A link to the plan page, which shows the effect of a tried change. An open draft stays open. */
export function TryLink({ id, wish, children }: LinkOf) {
  const search = new URLSearchParams({ try: wish }).toString();
  return (
    <Link to={{ pathname: `/org/${id}/plan`, search }} state={focusState(TRIED)}>
      {children}
    </Link>
  );
}
