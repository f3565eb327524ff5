import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { withMoment } from '../../moment/page-moment';
import { focusState } from './useFocusOfLink';
import { usePageMoment } from '../../moment/usePageMoment';

type LinkOf = Readonly<{
  to: string;
  query?: Readonly<Record<string, string>>;
  /** The part of the linked page that gets the focus (`useFocusOfLink`); without it, the heading of that page. */
  part?: string;
  children: ReactNode;
}>;

/** A link to another page of the organization, which keeps the moment that the page shows. */
export function MomentLink({ to, query = {}, part, children }: LinkOf) {
  const { moment } = usePageMoment();
  const search = withMoment(new URLSearchParams(query), moment).toString();
  return (
    <Link to={{ pathname: to, search }} {...(part !== undefined && { state: focusState(part) })}>
      {children}
    </Link>
  );
}
