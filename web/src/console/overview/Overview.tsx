import type { Catalogue, Entitlements, OrganizationDocument } from '@charter/client';
import { lazy, Suspense, useEffect, useEffectEvent, useRef } from 'react';
import { useCatalogueQuery, useStandingQuery } from '../api';
import cardStyles from '../page-parts/Card.module.css';
import styles from './Overview.module.css';
import { CopyButton } from '../page-parts/CopyButton';
import { Features } from './Features';
import { Limits } from './Limits';
import { PlanCard } from './PlanCard';
import { WithWords } from '../organization/later-words';
import { type OrganizationAnswers, OrganizationFrame } from '../organization/OrganizationFrame';
import { MOMENT, Sentence } from '../page-parts/Moment';
import { Region, Waits } from '../page-parts/Region';
import { useWords } from '../words';

const LatestChanges = lazy(() => import('./LatestChanges'));
const ProgramFlags = lazy(() => import('./flags/ProgramFlags'));

/**
 * The overview of an organization: plan, limits and features with their reasons. The overview itself changes nothing.
 */
export function Overview() {
  const { text, compared } = useWords();
  const { data: catalogue } = useCatalogueQuery(undefined);
  return (
    <OrganizationFrame
      title={text('overview.title')}
      heading={({ organization: { data }, other }) => data && compared(data.name, other?.document?.name)}
    >
      {(answers) => <Content {...answers} catalogue={catalogue} />}
    </OrganizationFrame>
  );
}

type ContentOf = OrganizationAnswers & Readonly<{ catalogue: Catalogue | undefined }>;

function Content({ catalogue, ...answers }: ContentOf) {
  const { id, past, organization, entitlements, other } = answers;
  const { text } = useWords();
  useFreshDocument(answers);
  const { data } = organization;
  const { data: standing } = useStandingQuery(id);
  const revision = entitlements.data?.revision;
  return (
    <>
      <Identity
        {...{ id, founded: data?.founded.at }}
        entitlements={entitlements.data}
        seen={entitlements.fulfilledTimeStamp}
      />
      <Waits {...organization} />
      <Waits {...entitlements} />
      {data?.closed && <p className={styles['note']}>{text('overview.closed')}</p>}
      <div className={styles['pair']}>
        <section className={cardStyles['card']} aria-labelledby="plan">
          <h2 id="plan">{text('plan.title')}</h2>
          <Region<OrganizationDocument> name={text('plan.title')} query={organization}>
            {(document) => (
              <PlanCard {...{ id }} organization={document} other={other?.document} entitlements={entitlements.data} />
            )}
          </Region>
        </section>
        <section className={cardStyles['card']} aria-labelledby="limits">
          <h2 id="limits">{text('limits.title')}</h2>
          <Region<Entitlements> name={text('limits.title')} query={entitlements} rows={5}>
            {({ limits, features, traffic }) => (
              <Limits
                {...{ limits, features, catalogue, traffic }}
                other={other?.entitlements}
                seen={entitlements.fulfilledTimeStamp ?? Date.now()}
              />
            )}
          </Region>
        </section>
      </div>
      <section className={cardStyles['card']} aria-labelledby="features">
        <h2 id="features">{text('features.title')}</h2>
        <Region<Entitlements> name={text('features.title')} query={entitlements} rows={8}>
          {({ features }) => (
            <Features features={features} catalogue={catalogue} other={other?.entitlements?.features} />
          )}
        </Region>
      </section>
      {standing && revision !== undefined && (
        <Suspense fallback={null}>
          <WithWords group="history">
            {standing.roles.some((role) => role !== 'auditor') && <ProgramFlags {...{ id, revision }} />}
            {standing.reads.includes('history') && <LatestChanges key={id} {...{ id, revision, past }} />}
          </WithWords>
        </Suspense>
      )}
    </>
  );
}

/**
 * Loads the organization's document again when the present entitlements have a newer revision. Otherwise the overview
 * would show the former plan next to the limits of the new plan.
 */
function useFreshDocument({ id, past, organization, entitlements }: OrganizationAnswers): void {
  const revision = past ? undefined : entitlements.currentData?.revision;
  const shown = useRef<Readonly<{ id: string; revision: number }>>(undefined);
  const load = useEffectEvent(() => void organization.refetch());
  useEffect(() => {
    if (revision === undefined) return;
    const before = shown.current;
    shown.current = { id, revision };
    if (before?.id === id && before.revision < revision) load();
  }, [id, revision]);
}

type IdentityOf = Readonly<{
  id: string;
  /** The moment of the founding; undefined until the browser has loaded the organization's document. */
  founded: string | undefined;
  entitlements: Entitlements | undefined;
  seen: number | undefined;
}>;

function Identity({ id, founded, entitlements, seen }: IdentityOf) {
  const { text, number } = useWords();
  return (
    <div className={styles['identity']}>
      <p>
        <code>{id}</code> <CopyButton what={text('overview.id')} value={id} />
        {founded !== undefined && (
          <span>
            {' · '}
            <Sentence of={text('overview.founded', { day: MOMENT })} at={founded} as="day" />
          </span>
        )}
        {entitlements && <span> · {text('overview.revision', { revision: number(entitlements.revision) })}</span>}
      </p>
      {seen !== undefined && (
        <p>
          <Sentence of={text('overview.updated', { time: MOMENT })} at={new Date(seen).toISOString()} as="time" />
        </p>
      )}
    </div>
  );
}
