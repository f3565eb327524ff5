import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { withMoment } from '../../moment/page-moment';
import { usePageMoment } from '../../moment/usePageMoment';

/** A link to another page of the organization, which keeps the moment that the page shows. */
export function MomentLink({ to, children }: Readonly<{ to: string; children: ReactNode }>) {
  const { moment } = usePageMoment();
  const search = withMoment(new URLSearchParams(), moment).toString();
  return <Link to={{ pathname: to, search }}>{children}</Link>;
}
