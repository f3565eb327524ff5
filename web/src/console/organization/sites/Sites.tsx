import type { OrganizationDocument } from '@charter/client';
import { type ReactNode, useContext } from 'react';
import { useParams } from 'react-router-dom';
import { useSitePagesInfiniteQuery } from '../../api';
import { Search } from '../../chooser/Search';
import { PRESENT } from '../../moment/page-moment';
import { ScrubbedContext } from '../../moment/scrubbing';
import { usePageMoment } from '../../moment/usePageMoment';
import { MoreButton } from '../lists/MoreButton';
import { DisappearingButton } from '../../page-parts/DisappearingButton';
import { Region, Skeleton } from '../../page-parts/Region';
import { useSettled } from '../../page-parts/useSettled';
import { useWords } from '../../words';
import { comparedEntries, type ComparedEntry } from '../comparison/compared-entries';
import { Legend, Marked } from '../comparison/Comparison';
import { sidesOf, useChangedBy } from '../comparison/useChangedBy';
import { type ChangedList, siteChanges } from '../entries/changed-lists';
import { useEntryChanges } from '../entries/useEntryChanges';
import { EventDay } from '../lists/EventDay';
import { BothHostnames } from '../lists/BothHostnames';
import { Choice } from '../lists/Choice';
import { countedLists } from '../lists/counted-lists';
import { loadedPages, rowsInOrder } from '../lists/loaded-pages';
import { LimitCard } from '../lists/LimitCard';
import { ReadOnlyNote } from '../lists/ReadOnlyNote';
import { RowTable, SortedHeader } from '../lists/RowTable';
import styles from '../lists/List.module.css';
import { MomentLink } from '../lists/MomentLink';
import { useListFilter } from '../lists/useListFilter';
import { type OrganizationAnswers, OrganizationFrame } from '../OrganizationFrame';
import { type PlanTerms, productLines, useSoldTerms } from '../plan/useSoldTerms';
import { OneSite } from './OneSite';
import { ownFeatures, reportWords, type Site, type SwitchName, siteFeatureWords } from './site-features';

const siteLimit = countedLists.sites.limit;

/** The page of all sites of an organization, or the page of one site. */
export default function Sites() {
  const { site } = useParams();
  return site === undefined ? <SiteList /> : <OneSite key={site} />;
}

function SiteList() {
  const { text, name } = useWords();
  return (
    <OrganizationFrame title={text('sites.title')}>
      {(answers) => (
        <>
          <ReadOnlyNote id={answers.id} />
          <LimitCard resource={siteLimit} answers={answers}>
            <Region<OrganizationDocument> name={name(siteLimit)} query={answers.organization}>
              {(document) => <List {...answers} document={document} />}
            </Region>
          </LimitCard>
        </>
      )}
    </OrganizationFrame>
  );
}

/** The maximum length of a search text that the service accepts. */
const SEARCHED_MAX = 200;
const sorts = ['hostname', '-since'] as const;

const changedSites: ChangedList = { ...siteChanges, resource: siteLimit };

type Row = ComparedEntry<Site>;
type ListOf = OrganizationAnswers & Readonly<{ document: OrganizationDocument }>;

function List({ document, ...answers }: ListOf) {
  const { id, past, entitlements, other } = answers;
  const { text, number } = useWords();
  const { query, searched, choose, chooseNextSort, type, clear } = useListFilter();
  const plans = usePlansInForce(id, document);
  const all: readonly Row[] = comparedEntries(
    document.sites,
    other && { list: other.document?.sites, isEarlier: other.isEarlier },
    seenOf,
  );
  const marked = all.map(({ entry, mark }) => ({ id: entry._id, ...(mark && { mark }) }));
  const changedBy = useChangedBy(id, '/sites', sidesOf(answers), marked);
  const changes = useEntryChanges({
    ...{ id, organization: document.name, list: changedSites, hasKey: true },
    entitlements: past ? undefined : entitlements.data,
  });
  const { moment } = usePageMoment();
  const isScrubbing = useContext(ScrubbedContext) !== undefined;
  const sort = sorts.find((one) => one === query.get('sort')) ?? '';
  const wanted = { id, q: useSettled(searched.trim().slice(0, SEARCHED_MAX)), sort };
  const shown = useSitePagesInfiniteQuery({ ...wanted, moment });
  const there = useSitePagesInfiniteQuery({ ...wanted, moment: other?.moment ?? PRESENT }, { skip: !other });
  const pages = loadedPages(shown, other && there, ({ sites }) => sites);
  const hasFailed = pages.failure !== undefined;
  if (all.length === 0)
    return (
      <>
        {changes.controls}
        <p>{text('sites.none')}</p>
      </>
    );
  if (pages.isLoading) return <Skeleton name={text('sites.title')} rows={6} />;
  // If the service's list is unavailable, or while the person moves the time bar, the browser itself filters the sites
  // in the document.
  const isLocal = isScrubbing || hasFailed;
  const rows = isLocal
    ? filteredSites(all, searched)
    : rowsInOrder(
        all,
        ({ entry }) => entry._id,
        pages.entries.map(({ _id }) => _id),
      );
  return (
    <>
      {changes.controls}
      <div className={styles['filters']}>
        <Search label={text('sites.search')} value={searched} onChange={type} />
        <Choice
          label={text('list.sort')}
          value={sort}
          none={text('sites.name')}
          options={[
            ['hostname', text('sites.hostname')],
            ['-since', text('list.sort.newest')],
          ]}
          onChange={(value) => choose('sort', value)}
        />
      </div>
      {hasFailed && (
        <p className={styles['note']}>
          {text('sites.failed')}{' '}
          <DisappearingButton onClick={() => void pages.refetch()}>{text('trouble.retry')}</DisappearingButton>
        </p>
      )}
      <Legend of={rows} />
      {rows.length > 0 && (
        <Rows
          {...{ id, rows, plans, changedBy }}
          sort={isLocal ? undefined : sort}
          onOrder={() => chooseNextSort(sorts)}
          removeOf={changes.removeOf}
        />
      )}
      <MoreButton
        query={{
          hasNextPage: !isLocal && pages.left > 0,
          isFetchingNextPage: pages.isFetching,
          fetchNextPage: pages.more,
        }}
      >
        {text('list.more', { left: pages.left, number: number(pages.left) })}
      </MoreButton>
      <p role="status">
        {rows.length === 0 && searched !== '' && !pages.isFetching && (
          <>
            {text('sites.no-match', { searched })}{' '}
            <DisappearingButton onClick={() => clear()}>{text('features.clear')}</DisappearingButton>
          </>
        )}
      </p>
    </>
  );
}

/** The sites whose name or hostname contains a text. */
function filteredSites(rows: readonly Row[], searched: string): readonly Row[] {
  const wanted = searched.trim().toLowerCase();
  return rows.filter(({ entry: { name, hostname, unicode } }) =>
    [name, hostname, unicode].some((part) => part.toLowerCase().includes(wanted)),
  );
}

const seenOf = ({ name, hostname, features, report, live }: Site) => ({ name, hostname, features, report, live });

/**
 * The terms as sold of the plans in force; undefined until the terms of all these plans are loaded, or without the
 * right to audit.
 */
function usePlansInForce(id: string, document: OrganizationDocument): readonly PlanTerms[] | undefined {
  const sold = useSoldTerms(id, document);
  const held = productLines.filter((line) => document.plans[line]).map((line) => sold[line].terms);
  return held.every((terms) => terms !== undefined) ? held : undefined;
}

type RowsOf = Readonly<{
  id: string;
  rows: readonly Row[];
  plans: readonly PlanTerms[] | undefined;
  /** The order of the rows; undefined while the rows have the order of the document. */
  sort: '' | (typeof sorts)[number] | undefined;
  onOrder: () => void;
  changedBy: ReturnType<typeof useChangedBy>;
  removeOf: ((site: Site) => ReactNode) | undefined;
}>;

function Rows({ id, rows, plans, sort, onOrder, changedBy, removeOf }: RowsOf) {
  const { text } = useWords();
  return (
    <RowTable onOrder={onOrder}>
      <thead>
        <tr>
          <SortedHeader isSorted={sort === ''}>{text('sites.name')}</SortedHeader>
          <SortedHeader isSorted={sort === 'hostname'}>{text('sites.hostname')}</SortedHeader>
          <th scope="col">{text('sites.live')}</th>
          <th scope="col">{text('sites.report')}</th>
          {plans && <th scope="col">{text('sites.own')}</th>}
          <SortedHeader isSorted={sort === '-since' && 'descending'}>{text('list.since')}</SortedHeader>
          {removeOf && (
            <th scope="col">
              <span className="unseen">{text('members.changes')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <SiteRow
            key={row.entry._id}
            {...{ id, row, plans }}
            by={changedBy(row.entry._id, row.mark)}
            remove={removeOf?.(row.entry)}
          />
        ))}
      </tbody>
    </RowTable>
  );
}

type SiteRowOf = Readonly<{
  id: string;
  row: Row;
  plans: readonly PlanTerms[] | undefined;
  /** The event that made the difference, if the page compares the list. */
  by: ReactNode;
  /** The button that removes the site. */
  remove: ReactNode;
}>;

function SiteRow({ id, row: { entry, other, isHere, mark }, plans, by, remove }: SiteRowOf) {
  const { text, compared, list } = useWords();
  const access = (on: boolean) => text(on ? 'features.on' : 'features.off');
  const reports = ({ report }: Site) => text(reportWords(report));
  const own = plans && ownFeatures(entry, plans);
  const ownWords = (features: readonly SwitchName[]) =>
    features.length === 0
      ? text('sites.own.none')
      : list(
          features.map((feature) =>
            text('sites.own.feature', {
              feature: text(siteFeatureWords[feature]),
              access: access(entry.features[feature]),
            }),
          ),
        );
  const there = mark === 'changed' ? other : undefined;
  return (
    <tr data-mark={mark} data-here={isHere}>
      <th scope="row">
        <Marked mark={mark} by={by}>
          <MomentLink to={`/org/${id}/sites/${entry._id}`}>
            <bdi>{compared(entry.name, there?.name)}</bdi>
          </MomentLink>
        </Marked>
      </th>
      <td>
        <BothHostnames {...entry} />
      </td>
      <td>
        <span className={styles['label']}>{text('sites.live')}: </span>
        {compared(access(entry.live), there && access(there.live))}
      </td>
      <td>
        <span className={styles['label']}>{text('sites.report')}: </span>
        {compared(reports(entry), there && reports(there))}
      </td>
      {plans && (
        <td>
          {own && isHere && (
            <>
              <span className={styles['label']}>{text('sites.own')}: </span>
              <span>{ownWords(own)}</span>
            </>
          )}
        </td>
      )}
      <td>
        <EventDay {...entry.since} isLater={!isHere && mark === 'added'} />
      </td>
      {remove !== undefined && <td>{remove}</td>}
    </tr>
  );
}
