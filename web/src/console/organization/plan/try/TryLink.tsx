import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { focusState } from '../../lists/useFocusOfLink';

/** The part of the plan page with the form for a try. */
export const TRY = 'try';
/** The part of the plan page that shows the effect of a try. */
export const TRIED = 'tried';

type LinkOf = Readonly<{
  id: string;
  /** The wish, as the query parameter `try` names it (`tried-changes.ts`). */
  wish: string;
  children: ReactNode;
}>;

/** A link to the plan page, which shows the effect of a wish. An open draft stays open. */
export function TryLink({ id, wish, children }: LinkOf) {
  const search = new URLSearchParams({ try: wish }).toString();
  return (
    <Link to={{ pathname: `/org/${id}/plan`, search }} state={focusState(TRIED)}>
      {children}
    </Link>
  );
}
