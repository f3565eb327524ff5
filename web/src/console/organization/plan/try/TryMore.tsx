import type { Limit } from '@charter/client';
import { Link } from 'react-router-dom';
import { useCatalogueQuery, useOrganizationQuery } from '../../../api';
import { PRESENT } from '../../../moment/page-moment';
import { heldQuantity } from './tried-changes';
import type { LimitedResource } from '../../../overview/Limits';
import { useWords } from '../../../words';
import { TryLink } from './TryLink';

type TryOf = Readonly<{
  id: string;
  resource: LimitedResource;
  limit: Pick<Limit, 'configured' | 'hard' | 'overridden'>;
}>;

/**
 * A link that tries one more unit of the add-on that grants this resource. If today's catalogue has no such add-on, or
 * if a hard limit allows no further unit, the link leads to the plans.
 */
export function TryMore({ id, resource, limit: { configured, hard, overridden } }: TryOf) {
  const { text, has } = useWords();
  const { data: catalogue } = useCatalogueQuery(undefined);
  const { data: document } = useOrganizationQuery({ id, moment: PRESENT });
  const addOn = catalogue?.addOns.find(({ grants }) => (grants.limits[resource] ?? 0) > 0)?.addOn;
  const words = `try-more.${resource}`;
  const isAtHardLimit = !overridden && hard !== null && configured !== null && configured >= hard;
  if (!catalogue || !document) return null;
  if (addOn === undefined || !has(words) || isAtHardLimit)
    return <Link to={`/org/${id}/plan`}>{text('try-more.plans')}</Link>;
  return (
    <TryLink id={id} wish={`${addOn}:${heldQuantity(document, addOn) + 1}`}>
      {text(words)}
    </TryLink>
  );
}
