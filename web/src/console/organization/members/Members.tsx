import type { OrganizationDocument, ValueChange } from '@charter/client';
import { type ReactNode, useContext, useState } from 'react';
import { useParams } from 'react-router-dom';
import { Search } from '../../chooser/Search';
import { useMemberPagesInfiniteQuery } from '../../api';
import { PRESENT } from '../../moment/page-moment';
import { ScrubbedContext } from '../../moment/scrubbing';
import { usePageMoment } from '../../moment/usePageMoment';
import { useConsoleConfig } from '../../page-config-context';
import cardStyles from '../../page-parts/Card.module.css';
import { MoreButton } from '../lists/MoreButton';
import { DisappearingButton } from '../../page-parts/DisappearingButton';
import { Region, Skeleton } from '../../page-parts/Region';
import { useSettled } from '../../page-parts/useSettled';
import tagStyles from '../../page-parts/Tag.module.css';
import { useWords } from '../../words';
import { Legend, Marked } from '../comparison/Comparison';
import { sidesOf, useChangedBy } from '../comparison/useChangedBy';
import { Choice } from '../lists/Choice';
import { countedLists } from '../lists/counted-lists';
import { EventDay } from '../lists/EventDay';
import { loadedPages, rowsInOrder } from '../lists/loaded-pages';
import { LimitCard } from '../lists/LimitCard';
import styles from '../lists/List.module.css';
import { MomentLink } from '../lists/MomentLink';
import { ReadOnlyNote } from '../lists/ReadOnlyNote';
import { RowTable, SortedHeader } from '../lists/RowTable';
import { useListFilter } from '../lists/useListFilter';
import { type OrganizationAnswers, OrganizationFrame } from '../OrganizationFrame';
import { filteredMembers, type MemberRow, memberRoles, memberRows, memberStates } from './member-rows';
import { OneMember } from './OneMember';
import { PersonName, YouTag } from './PersonName';
import { stateWords } from './state-words';
import { useLastChanges } from './useLastChanges';
import { useChosenMembers } from './useChosenMembers';
import { useMemberChanges } from './useMemberChanges';

/** The number of rows that the page shows at first if the service's list is unavailable. */
const ROWS = 100;
const ACCEPTANCE_POLLING_MS = 15_000;
/** The maximum length of a search text that the service accepts. */
const SEARCHED_MAX = 200;
const sorts = ['role', '-since'] as const;
/** The resource that limits the number of members. */
const memberLimit = countedLists.members.limit;

/** The page of all members of an organization, or the page of one member. */
export default function Members() {
  const { user } = useParams();
  return user === undefined ? <MemberList /> : <OneMember key={user} />;
}

/**
 * The limit, and each member at the page's moment with role and state. While the page shows the past, it compares the
 * members with those at the other side of the comparison.
 */
function MemberList() {
  const { text } = useWords();
  return (
    <OrganizationFrame title={text('members.title')}>
      {(answers) => (
        <>
          <ReadOnlyNote id={answers.id} />
          <LimitCard resource={memberLimit} answers={answers} />
          <section className={cardStyles['card']} aria-labelledby="members">
            <h2 id="members" tabIndex={-1}>
              {text('members.list')}
            </h2>
            <Region<OrganizationDocument> name={text('members.list')} query={answers.organization} rows={6}>
              {(document) => <List {...answers} document={document} />}
            </Region>
          </section>
        </>
      )}
    </OrganizationFrame>
  );
}

function List({ document, ...answers }: OrganizationAnswers & Readonly<{ document: OrganizationDocument }>) {
  const { id, past, entitlements, other } = answers;
  const { text, name, number } = useWords();
  const { facts } = useConsoleConfig();
  const { query, searched, choose, chooseNextSort, type, clear } = useListFilter();
  const [shownRows, setShownRows] = useState(ROWS);
  const { moment } = usePageMoment();
  const isScrubbing = useContext(ScrubbedContext) !== undefined;
  const known = <Value extends string>(name: string, values: readonly Value[]): Value | '' =>
    values.find((value) => value === query.get(name)) ?? '';
  const filter = { role: known('role', memberRoles), state: known('state', memberStates), sort: known('sort', sorts) };
  const wanted = { id, q: useSettled(searched.trim().slice(0, SEARCHED_MAX)), ...filter };
  // the number of loaded pages while a member is invited, otherwise 0
  const [waitingPages, setWaitingPages] = useState(0);
  const shown = useMemberPagesInfiniteQuery(
    { ...wanted, moment },
    {
      refetchOnFocus: waitingPages > 0,
      pollingInterval: waitingPages === 1 ? ACCEPTANCE_POLLING_MS : 0, // a poll repeats all loaded pages
      skipPollingIfUnfocused: true,
    },
  );
  const there = useMemberPagesInfiniteQuery({ ...wanted, moment: other?.moment ?? PRESENT }, { skip: !other });
  const people = loadedPages(shown, other && there, ({ members }) => members);
  const hasFailed = people.failure !== undefined;
  // The page polls while a member is invited, because no event of the organization says that the person has set a
  // password.
  const hasInvited = !past && people.entries.some(({ invited }) => invited);
  const pages = hasInvited ? (shown.data?.pages.length ?? 0) : 0;
  if (pages !== waitingPages) setWaitingPages(pages);
  const all = memberRows(document, other, people.entries, facts.productKey);
  const changedBy = useChangedBy(id, '/members', sidesOf(answers), all);
  const changes = useMemberChanges({
    ...{ id, organization: document.name, resource: memberLimit, heading: 'members' },
    entitlements: past ? undefined : entitlements.data,
  });
  const chosen = useChosenMembers(id, all, 'members');
  if (people.isLoading) return <Skeleton name={text('members.list')} rows={6} />;
  const isFiltered = searched.trim() !== '' || filter.role !== '' || filter.state !== '';
  // If the service's list is unavailable, or while the person moves the time bar, the browser itself filters the
  // members of the document.
  const isLocal = isScrubbing || hasFailed;
  const found = isLocal
    ? filteredMembers(all, { searched, ...filter })
    : rowsInOrder(
        all,
        (row) => row.id,
        people.entries.map(({ user }) => user),
      );
  const rows = isLocal ? found.slice(0, shownRows) : found;
  const left = isLocal ? found.length - rows.length : people.left;
  const more = isLocal ? () => setShownRows(shownRows + ROWS) : people.more;
  return (
    <>
      {changes.controls}
      <div className={styles['filters']}>
        <Search label={text('members.search')} value={searched} onChange={type} />
        <Choice
          label={text('members.role')}
          value={filter.role}
          options={memberRoles.map((role) => [role, name(role)])}
          onChange={(value) => choose('role', value)}
        />
        <Choice
          label={text('members.state')}
          value={filter.state}
          options={memberStates.map((state) => [state, text(stateWords[state])])}
          onChange={(value) => choose('state', value)}
        />
        <Choice
          label={text('list.sort')}
          value={filter.sort}
          none={text('members.name')}
          options={[
            ['role', text('members.role')],
            ['-since', text('list.sort.newest')],
          ]}
          onChange={(value) => choose('sort', value)}
        />
      </div>
      {past && <p className={styles['note']}>{text('moment.names-of-today')}</p>}
      {hasFailed && (
        <p className={styles['note']}>
          {text(people.entries.length > 0 ? 'members.names-old' : 'members.names-failed')}{' '}
          <DisappearingButton onClick={() => void people.refetch()}>{text('trouble.retry')}</DisappearingButton>
        </p>
      )}
      <Legend of={rows} />
      {chosen.form}
      {rows.length > 0 && (
        <Rows
          {...{ id, rows, changedBy }}
          sort={isLocal ? undefined : filter.sort}
          onOrder={() => chooseNextSort(sorts)}
          menuOf={changes.menuOf}
          checkBoxOf={chosen.checkBoxOf}
        />
      )}
      <MoreButton query={{ hasNextPage: left > 0, isFetchingNextPage: people.isFetching, fetchNextPage: more }}>
        {text('list.more', { left, number: number(left) })}
      </MoreButton>
      <p role="status">
        {all.length === 0 && text('members.none')}
        {all.length > 0 && rows.length === 0 && isFiltered && !people.isFetching && (
          <>
            {searched === '' ? text('members.no-match') : text('members.no-match.searched', { searched })}{' '}
            <DisappearingButton onClick={() => clear('role', 'state')}>{text('features.clear')}</DisappearingButton>
          </>
        )}
      </p>
    </>
  );
}

type RowsOf = Readonly<{
  id: string;
  rows: readonly MemberRow[];
  /** The order of the rows; undefined while the browser itself filters the members. */
  sort: '' | (typeof sorts)[number] | undefined;
  onOrder: () => void;
  changedBy: ReturnType<typeof useChangedBy>;
  menuOf: ((row: MemberRow) => ReactNode) | undefined;
  checkBoxOf: ((row: MemberRow) => ReactNode) | undefined;
}>;

function Rows({ id, rows, sort, onOrder, changedBy, menuOf, checkBoxOf }: RowsOf) {
  const { text } = useWords();
  const { facts } = useConsoleConfig();
  const lastChangeOf = useLastChanges(id);
  return (
    <RowTable onOrder={onOrder}>
      <thead>
        <tr>
          <SortedHeader isSorted={sort === ''}>{text('members.name')}</SortedHeader>
          <SortedHeader isSorted={sort === 'role'}>{text('members.role')}</SortedHeader>
          <th scope="col">{text('members.product-user', { product: facts.product })}</th>
          <th scope="col">{text('members.state')}</th>
          <SortedHeader isSorted={sort === '-since' && 'descending'}>{text('list.since')}</SortedHeader>
          {menuOf && (
            <th scope="col">
              <span className="unseen">{text('members.changes')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row
            key={row.id}
            {...{ id, row }}
            by={changedBy(row.id, row.mark)}
            last={lastChangeOf(row.id)}
            menu={menuOf?.(row)}
            box={checkBoxOf?.(row)}
          />
        ))}
      </tbody>
    </RowTable>
  );
}

type RowOf = Readonly<{ id: string; row: MemberRow; by: ReactNode; menu: ReactNode; box: ReactNode }> &
  Readonly<{ last: ValueChange | undefined }>;

function Row({ id, row, by, last, menu, box }: RowOf) {
  const { text, name, compared } = useWords();
  const { facts } = useConsoleConfig();
  const { other, mark } = row;
  const flag = (on: boolean) => text(on ? 'members.product-user.yes' : 'members.product-user.no');
  return (
    <tr data-mark={mark} data-here={row.isHere}>
      <th scope="row">
        {box}
        <Marked mark={mark} by={by}>
          <MomentLink to={`/org/${id}/members/${row.id}`}>
            <PersonName member={row} />
          </MomentLink>
        </Marked>{' '}
        <YouTag id={row.id} />
        {row.email !== null && row.email !== row.name && (
          <span className={styles['detail']}>
            <bdi>{row.email}</bdi>
          </span>
        )}
      </th>
      <td>{compared(name(row.role), other && name(other.role))}</td>
      <td>
        <span className={styles['label']}>{text('members.product-user', { product: facts.product })}: </span>
        {compared(flag(row.isProductUser), other && flag(other.isProductUser))}
      </td>
      <td>
        {row.state && (
          <span className={tagStyles['tag']} data-state={row.state === 'active' ? 'on' : undefined}>
            {text(stateWords[row.state])}
          </span>
        )}
      </td>
      <td>
        <EventDay {...row.since} isLater={!row.isHere && mark === 'added'} />
        {row.roleSince.event !== row.since.event && (
          <span className={styles['detail']}>
            {text('members.role')}: <EventDay {...row.roleSince} isLater={!row.isHere && mark === 'added'} />
          </span>
        )}
        {row.isHere && last && ![row.since.event, row.roleSince.event].includes(last.revision) && (
          <span className={styles['detail']}>
            {text('members.last-change')}: <EventDay event={last.revision} at={last.at} />
          </span>
        )}
      </td>
      {menu !== undefined && <td>{menu}</td>}
    </tr>
  );
}
