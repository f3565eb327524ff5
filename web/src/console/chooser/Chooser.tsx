import type { OrganizationPage, OwnAccount, Plans } from '@charter/client';
import { useState } from 'react';
import { Link, Navigate } from 'react-router-dom';
import { useMeQuery, useOrganizationPagesInfiniteQuery } from '../api';
import cardStyles from '../page-parts/Card.module.css';
import controlStyles from '../page-parts/Controls.module.css';
import { MoreButton } from '../organization/lists/MoreButton';
import { byLastVisit } from '../last-organizations';
import { Region, Skeleton } from '../page-parts/Region';
import Freshness from './Freshness';
import { Search } from './Search';
import { Title } from '../page-parts/Title';
import { useSettled } from '../page-parts/useSettled';
import { TroubleBox } from '../page-parts/TroubleBox';
import type { CallFailure } from '../problem';
import { RequestButton } from '../../ui/RequestButton';
import { useLogOut } from '../frame/useLogOut';
import { useWords } from '../words';

const FILTER_FROM = 8;
/**
 * The maximum number of organizations in the answer to `GET /me`. If the answer contains this number, the person may
 * have more organizations, so the page loads the list of organizations.
 */
const OWN_MAX = 100;

/**
 * The page on which a person chooses an organization. If a member has only one organization, the page opens it at once.
 * A list of few organizations begins with the last visited ones.
 */
export function Chooser() {
  const { data: me, error, isFetching, refetch } = useMeQuery(undefined, { refetchOnFocus: true });
  const { text } = useWords();
  if (!me)
    return (
      <>
        <Title>{text('chooser.title')}</Title>
        {error && !isFetching ? (
          <TroubleBox trouble={error as CallFailure} retry={refetch} />
        ) : (
          <Skeleton name={text('chooser.title')} rows={3} />
        )}
      </>
    );
  if (me.role !== null || me.organizations.length >= OWN_MAX) return <Searchable me={me} />;
  if (me.organizations.length === 0) return <None />;
  if (me.organizations.length === 1) return <Navigate to={`/org/${me.organizations[0]!.id}/overview`} replace />;
  return <Own me={me} />;
}

/** The organizations of a member, few enough to filter in the browser. */
function Own({ me }: Readonly<{ me: OwnAccount }>) {
  const { text } = useWords();
  const { data } = useOrganizationPagesInfiniteQuery('', { refetchOnFocus: true });
  const page = data?.pages[0];
  const [filter, setFilter] = useState('');
  const listed = new Map(page?.organizations.map((one) => [one.id, one]));
  const rows = byLastVisit(
    me.id,
    me.organizations
      .map(({ id, name, role }) => ({ id, role, name, plans: listed.get(id)?.plans }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  );
  const shown = rows.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()));
  return (
    <>
      <Title>{text('chooser.title')}</Title>
      {rows.length >= FILTER_FROM && <Search label={text('chooser.filter')} value={filter} onChange={setFilter} />}
      <Freshness lagSeconds={page?.lagSeconds ?? 0} />
      <Cards rows={shown} />
      <p role="status">{shown.length === 0 && text('chooser.no-match', { filter })}</p>
    </>
  );
}

/** The list for operators and auditors, and for members with very many organizations. The service does the search. */
function Searchable({ me }: Readonly<{ me: OwnAccount }>) {
  const { text } = useWords();
  const [q, setQ] = useState('');
  const settled = useSettled(q.trim());
  const query = useOrganizationPagesInfiniteQuery(settled);
  const roles = new Map(me.organizations.map(({ id, role }) => [id, role]));
  return (
    <>
      <Title>{text('chooser.title')}</Title>
      <Search label={text('chooser.search')} value={q} onChange={setQ} />
      <Freshness lagSeconds={query.currentData?.pages.at(-1)?.lagSeconds ?? 0} />
      <Region<readonly OrganizationPage[]>
        name={text('chooser.title')}
        query={{ ...query, data: query.data?.pages, currentData: query.currentData?.pages }}
      >
        {(pages) => {
          const found = pages.flatMap(({ organizations }) => organizations);
          return (
            <>
              <Cards rows={found.map((one) => ({ ...one, role: roles.get(one.id) }))} />
              <p role="status">
                {found.length === 0 && (settled ? text('chooser.no-match', { filter: settled }) : text('chooser.none'))}
              </p>
              <MoreButton query={query}>{text('chooser.more')}</MoreButton>
            </>
          );
        }}
      </Region>
    </>
  );
}

type Row = Readonly<{ id: string; name: string; role?: string | undefined; plans?: Plans | undefined }>;

function Cards({ rows }: Readonly<{ rows: readonly Row[] }>) {
  const { name: nameOf, planOfLine } = useWords();
  return (
    <ul className={cardStyles['cards']}>
      {rows.map(({ id, name, role, plans }) => (
        <li key={id} className={cardStyles['card']}>
          <Link to={`/org/${id}/overview`} className={cardStyles['whole']}>
            <bdi>{name}</bdi>
          </Link>
          <p className={cardStyles['caption']}>
            {[
              role && nameOf(role),
              plans?.first && planOfLine('first', plans.first.plan),
              plans?.second && planOfLine('second', plans.second.plan),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </li>
      ))}
    </ul>
  );
}

function None() {
  const { text } = useWords();
  const { leave, leaving, failed } = useLogOut();
  return (
    <>
      <Title tab={text('chooser.title')}>{text('chooser.no-access')}</Title>
      <RequestButton className={controlStyles['button']} isBusy={leaving} onClick={leave}>
        {text('top.log-out')}
      </RequestButton>
      <p role="alert">{failed && text('top.log-out.failed')}</p>
    </>
  );
}
