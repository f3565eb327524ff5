import type { Limit } from '@charter/client';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useCatalogueQuery } from '../api';
import { draftAddress } from '../draft/address/draft-address';
import type { LimitedResource } from '../overview/Limits';
import { useWords } from '../words';

type TryOf = Readonly<{ id: string; resource: LimitedResource; limit: Limit }>;

/**
 * A link to a draft with one more unit of the add-on that grants this resource. If today's catalogue has no such
 * add-on, or if a hard limit allows no further unit, the link leads to the plans.
 */
export function TryMore({ id, resource, limit: { configured, hard, overridden } }: TryOf) {
  const { text, has } = useWords();
  const { data: catalogue } = useCatalogueQuery(undefined);
  const [address, setAddress] = useState<string>();
  const addOn = catalogue?.addOns.find(({ grants }) => (grants.limits[resource] ?? 0) > 0)?.addOn;
  const words = `try-more.${resource}`;
  const isAtHardLimit = !overridden && hard !== null && configured !== null && configured >= hard;
  const helps = addOn !== undefined && has(words) && !isAtHardLimit;
  useEffect(() => {
    if (!helps) return;
    const command = { type: 'PurchaseAddOn', data: { addOn, quantity: 1 } };
    void draftAddress(id, [command]).then(setAddress);
  }, [addOn, helps, id]);
  if (!catalogue) return null;
  if (!helps) return <Link to={`/org/${id}/plan`}>{text('try-more.plans')}</Link>;
  return address === undefined ? null : <Link to={address}>{text(words)}</Link>;
}
