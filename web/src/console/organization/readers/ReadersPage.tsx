import type { Readers } from '@charter/client';
import { type SyntheticEvent, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { useReadersQuery, useStandingQuery } from '../../api';
import controlStyles from '../../page-parts/Controls.module.css';
import { Region } from '../../page-parts/Region';
import { useSingleKey } from '../../page-parts/useSingleKey';
import { useWords } from '../../words';
import styles from '../lists/List.module.css';
import { useGridRows } from './useGridRows';
import { OrganizationFrame } from '../OrganizationFrame';
import { dayOfFilter, filterOfDay, hoursOf, readersFilterIn } from './readers-filter';

const POLLING_MS = 60_000;

/** The people and API keys that read, followed or exported the history of an organization, by hour. */
export default function ReadersPage() {
  const { id = '' } = useParams();
  const { text } = useWords();
  const { data: standing } = useStandingQuery(id);
  return (
    <OrganizationFrame title={text('readers.title')} hasMoment={false}>
      {({ past }) => {
        if (!standing) return null;
        if (!standing.reads.includes('readers')) return <p>{text('readers.no-right')}</p>;
        return (
          <>
            {past && <p className={styles['note']}>{text('readers.of-today')}</p>}
            <p className={styles['note']}>{text('readers.about')}</p>
            <FilteredReaders id={id} />
          </>
        );
      }}
    </OrganizationFrame>
  );
}

/**
 * The list of readers with its filter. The address contains the filter and the cursor of the shown page of the list.
 */
function FilteredReaders({ id }: Readonly<{ id: string }>) {
  const { text } = useWords();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const address = new URLSearchParams(search);
  const filter = readersFilterIn(address);
  // The service adds new reads to the list within a minute.
  const query = useReadersQuery(
    { id, filter },
    {
      refetchOnMountOrArgChange: true,
      refetchOnFocus: true,
      pollingInterval: POLLING_MS,
      skipPollingIfUnfocused: true,
    },
  );
  const withFilter = (next: Readonly<Record<string, string>>) => {
    const changed = new URLSearchParams(address);
    for (const name of ['from', 'to', 'cursor']) changed.delete(name);
    for (const [name, value] of Object.entries(next)) changed.set(name, value);
    return { pathname, search: changed.toString() };
  };
  const { cursor, ...days } = filter;
  return (
    <>
      <DayForm
        key={dayOfFilter(filter)}
        day={dayOfFilter(filter)}
        onChoose={(day) => void navigate(withFilter(filterOfDay(day)))}
      />
      <Region<Readers> name={text('readers.title')} query={query} rows={6}>
        {({ readers, next }) => (
          <>
            {readers.length === 0 ? (
              <p>{text(filter.from === undefined ? 'readers.none' : 'readers.none-that-day')}</p>
            ) : (
              <ReaderGrid readers={readers} isWhole={cursor === undefined && next === null} />
            )}
            <p className={styles['rows']}>
              {cursor !== undefined && <Link to={withFilter(days)}>{text('readers.newest')}</Link>}{' '}
              {next !== null && <Link to={withFilter({ ...days, cursor: next })}>{text('readers.next')}</Link>}
            </p>
          </>
        )}
      </Region>
    </>
  );
}

type DayOf = Readonly<{ day: string; onChoose: (day: string) => void }>;

/**
 * The form that chooses a day. The list changes only when the person submits the form, because the field contains other
 * years while the person types a year.
 */
function DayForm({ day, onChoose }: DayOf) {
  const { text } = useWords();
  const [typed, setTyped] = useState(day);
  const field = useRef<HTMLInputElement>(null);
  useSingleKey('/', () => field.current?.focus());
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onChoose(typed);
  };
  return (
    <form className={styles['filters']} onSubmit={submit}>
      <label className={controlStyles['search']}>
        {text('readers.day')}
        <input
          ref={field}
          type="date"
          value={typed}
          max="9999-12-31"
          onChange={({ target: { value } }) => setTyped(value)}
        />
      </label>
      <button type="submit" className={controlStyles['button']}>
        {text('readers.show')}
      </button>
    </form>
  );
}

const deeds = { read: 'readers.read', exported: 'readers.exported', followed: 'readers.followed' } as const;

type GridOf = Readonly<{
  readers: Readers['readers'];
  /** Whether the page shows the whole list. */
  isWhole: boolean;
}>;

function ReaderGrid({ readers, isWhole }: GridOf) {
  const { text, name: wordOf, minute } = useWords();
  const { grid, row } = useGridRows(readers);
  return (
    <table
      {...grid}
      className={`${styles['table']} ${styles['narrow']}`}
      aria-label={text('readers.title')}
      aria-rowcount={isWhole ? readers.length + 1 : -1}
    >
      <thead role="rowgroup">
        <tr role="row" aria-rowindex={1}>
          <th role="columnheader" scope="col" aria-sort="descending">
            {text('readers.hour')}
          </th>
          <th role="columnheader" scope="col">
            {text('readers.who')}
          </th>
          <th role="columnheader" scope="col">
            {text('readers.did')}
          </th>
        </tr>
      </thead>
      {hoursOf(readers).map(({ hour, first, entries }) => (
        <tbody key={hour} role="rowgroup">
          {entries.map(({ actor, as, name, did }, index) => (
            <tr key={`${actor.id} ${did}`} {...row(first + index)}>
              {index === 0 && (
                <th role="rowheader" scope="rowgroup" rowSpan={entries.length}>
                  <time dateTime={`${hour}:00Z`}>{minute(`${hour}:00:00Z`)}</time>
                </th>
              )}
              <td role="gridcell">
                {name !== null && (
                  <>
                    <bdi>{name}</bdi> ·{' '}
                  </>
                )}
                {as === 'key' ? text('readers.key') : wordOf(as)}
              </td>
              <td role="gridcell">{text(deeds[did])}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}
