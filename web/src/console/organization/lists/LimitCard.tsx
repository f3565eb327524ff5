import type { Entitlements } from '@charter/client';
import { type ReactNode, useId } from 'react';
import { useCatalogueQuery } from '../../api';
import { type LimitedResource, ResourceLimit } from '../../overview/Limits';
import cardStyles from '../../page-parts/Card.module.css';
import { Region, Waits } from '../../page-parts/Region';
import { useWords } from '../../words';
import type { OrganizationAnswers } from '../OrganizationFrame';
import { TryOffers } from './TryOffers';

type CardOf = Readonly<{ resource: LimitedResource; answers: OrganizationAnswers; children?: ReactNode }>;

/** The use of a resource, its limit with the explanation, and below them the entries that count against the limit. */
export function LimitCard({ resource, answers: { id, entitlements, other, past }, children }: CardOf) {
  const { name } = useWords();
  const query = useCatalogueQuery(undefined);
  const { data: catalogue } = query;
  const heading = useId();
  return (
    <section className={cardStyles['card']} aria-labelledby={heading}>
      <h2 id={heading}>{name(resource)}</h2>
      <Waits {...query} />
      <Region<Entitlements> name={name(resource)} query={entitlements} rows={2}>
        {(data) => {
          const { gate } = data.limits[resource];
          return (
            <>
              <ResourceLimit {...{ resource, catalogue }} entitlements={data} other={other?.entitlements} />
              {gate?.on === false && !past && (
                <TryOffers
                  {...{ id }}
                  feature={data.features[gate.feature]}
                  offers={catalogue?.features[gate.feature]}
                />
              )}
            </>
          );
        }}
      </Region>
      {children}
    </section>
  );
}
