import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { withParameters } from '../../moment/page-moment';
import { focusState } from './useFocusOfLink';
import { usePageMoment } from '../../moment/usePageMoment';

type LinkOf = Readonly<{
  to: string;
  query?: Readonly<Record<string, string>>;
  /** The part of the linked page that gets the focus (`useFocusOfLink`); without it, the heading of that page. */
  part?: string;
  children: ReactNode;
}>;

/** A link to another page of the organization, which keeps the page's moment and the other side of its comparison. */
export function MomentLink({ to, query = {}, part, children }: LinkOf) {
  const { kept } = usePageMoment();
  return (
    <Link
      to={{ pathname: to, search: withParameters(query, kept) }}
      {...(part !== undefined && { state: focusState(part) })}
    >
      {children}
    </Link>
  );
}
