import type { Catalogue, Limit } from '@charter/client';
import { Link } from 'react-router-dom';
import { useCatalogueQuery, useOrganizationQuery } from '../../../api';
import { PRESENT } from '../../../moment/page-moment';
import { heldQuantity } from './tried-changes';
import type { LimitedResource } from '../../../overview/Limits';
import { useWords } from '../../../words';
import { TryLink } from './TryLink';

type SoldLimit = Pick<Limit, 'configured' | 'hard' | 'overridden'>;
type TryOf = Readonly<{ id: string; resource: LimitedResource; limit: SoldLimit }>;

/** The add-on of today's catalogue that grants a resource. */
export const addOnFor = (catalogue: Catalogue | undefined, resource: LimitedResource): string | undefined =>
  catalogue?.addOns.find(({ grants }) => (grants.limits[resource] ?? 0) > 0)?.addOn;

/** Whether the hard limit is reached, so that a further unit would not raise the limit. */
export const isAtHardLimit = ({ configured, hard, overridden }: SoldLimit): boolean =>
  !overridden && hard !== null && configured !== null && configured >= hard;

/**
 * A link to try one more unit of the add-on that grants this resource. If today's catalogue has no such add-on, or if
 * the hard limit is reached, the link leads to the plans.
 */
export function TryMore({ id, resource, limit }: TryOf) {
  const { text, has } = useWords();
  const { data: catalogue } = useCatalogueQuery(undefined);
  const { data: document } = useOrganizationQuery({ id, moment: PRESENT });
  const addOn = addOnFor(catalogue, resource);
  const words = `try-more.${resource}`;
  if (!catalogue || !document) return null;
  if (addOn === undefined || !has(words) || isAtHardLimit(limit))
    return <Link to={`/org/${id}/plan`}>{text('try-more.plans')}</Link>;
  return (
    <TryLink id={id} wish={`${addOn}:${heldQuantity(document, addOn) + 1}`}>
      {text(words)}
    </TryLink>
  );
}
