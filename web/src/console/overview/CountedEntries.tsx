import type { ValueChange, ValueChanges } from '@charter/client';
import { useEffect } from 'react';
import { useLocation, useParams } from 'react-router-dom';
import { useChangesInfiniteQuery, useStandingQuery } from '../api';
import { type DocumentList, entriesOf, pathOfList } from '../document-lists';
import { eventWords } from '../moment/event-words';
import { useOrganizationAnswers } from '../moment/scrubbing';
import { pointerNames, titleOf } from '../organization/history/differences/value-words';
import { useHistoryWords } from '../organization/history/wording/useHistoryWords';
import { countedLists, listOfLimit } from '../organization/lists/counted-lists';
import { EventDay } from '../organization/lists/EventDay';
import { MomentLink } from '../organization/lists/MomentLink';
import { Region } from '../page-parts/Region';
import { useWords } from '../words';
import { CHANGE_PAGES, laterChanges, useShownChanges } from './useShownChanges';
import styles from './Why.module.css';

type ChangePages = Readonly<{ pages: readonly ValueChanges[] }>;

const REMOVALS_SHOWN = 3;

type EntriesOf = Readonly<{ /** The name of the limit. */ resource: string; used: number }>;

/**
 * The entries that a limit counts, each with the event that added it, and a link to their list. People who may not
 * request names see only the link to the list of members. People who may read the history also see the last removals
 * from the list.
 */
export default function CountedEntries({ resource, used }: EntriesOf) {
  const { text, number } = useWords();
  const { id = '' } = useParams();
  const { pathname } = useLocation();
  const { data: standing } = useStandingQuery(id);
  const list = listOfLimit(resource);
  if (!list) return null;
  const address = `/org/${id}/${countedLists[list].page}`;
  return (
    <>
      {used > 0 && pathname !== address && (
        <>
          <p id={`counted-${list}`}>
            <MomentLink to={address}>{text('why.counted', { count: used, number: number(used) })}</MomentLink>
          </p>
          {(list !== 'members' || standing?.reads.includes('names')) && <EntryList list={list} address={address} />}
        </>
      )}
      {standing?.reads.includes('history') && <LastRemovals list={list} />}
    </>
  );
}

const ENTRIES_SHOWN = 20;

/** The first entries of a list at the page's moment, each with the event that added it. */
function EntryList({ list, address }: Readonly<{ list: DocumentList; address: string }>) {
  const { id = '' } = useParams();
  const { text, number, person, thing } = useHistoryWords(id);
  const { organization } = useOrganizationAnswers(id);
  if (!organization.data) return null;
  const entries = entriesOf(organization.data, list).toSorted((one, other) => one.since.event - other.since.event);
  const left = entries.length - ENTRIES_SHOWN;
  return (
    <>
      <ul className={styles['steps']} aria-labelledby={`counted-${list}`}>
        {entries.slice(0, ENTRIES_SHOWN).map(({ _id, since }) => (
          <li key={_id}>
            <span>{list === 'members' ? person(_id) : thing(_id)}</span> <EventDay {...since} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <p>
          <MomentLink to={address}>{text('why.counted.more', { left, number: number(left) })}</MomentLink>
        </p>
      )}
    </>
  );
}

/** The last removals from a list, each with its event and its actor, and a link to all changes of the list. */
function LastRemovals({ list }: Readonly<{ list: DocumentList }>) {
  const { id = '' } = useParams();
  const words = useHistoryWords(id);
  const { text, number } = words;
  const path = pathOfList(list);
  const isShown = useShownChanges(id);
  const query = useChangesInfiniteQuery({ id, path });
  const { fetchNextPage, hasNextPage, isFetching, isError } = query;
  const pages = query.data?.pages ?? [];
  const loaded = pages.flatMap((page) => page.changes);
  const changes = loaded.filter((change) => isShown?.(change));
  const removals = changes.flatMap(removalsIn).slice(0, REMOVALS_SHOWN);
  const isEnough = !hasNextPage || removals.length === REMOVALS_SHOWN || pages.length >= CHANGE_PAGES;
  const isFurther = !isEnough && isShown !== undefined && !isFetching && !isError;
  // A quick answer can arrive before the page renders again, so the effect runs after each render.
  useEffect(() => {
    if (isFurther) void fetchNextPage();
  });
  const noRemovals = () => {
    if (!hasNextPage) return text('why.removals.none');
    if (changes.length === 0) return laterChanges(loaded.length, words);
    return text('why.removals.none-of-newest', { count: changes.length, number: number(changes.length) });
  };
  return (
    <Region<ChangePages> name={text('why.removals')} query={query} rows={1}>
      {() => (
        <>
          {removals.length > 0 && <p>{text('why.removals')}</p>}
          <ul className={styles['steps']}>
            {removals.map(({ entry, value, change }) => (
              <li key={`${entry} ${change.revision}`}>
                <span>
                  {titleOf([...pointerNames(path), entry], value, words)},{' '}
                  {text('why.changed', {
                    event: eventWords(change, words).event,
                    actor: words.actor(change.actor),
                  })}
                </span>{' '}
                <EventDay event={change.revision} at={change.at} isPrecise />
              </li>
            ))}
          </ul>
          {isEnough && isShown && removals.length === 0 && <p>{noRemovals()}</p>}
          <p>
            <MomentLink to={`/org/${id}/changes`} query={{ path }}>
              {text('why.removals.all')}
            </MomentLink>
          </p>
        </>
      )}
    </Region>
  );
}

type Removal = Readonly<{ entry: string; value: unknown; change: ValueChange }>;

/** The entries that a change removed from the list. */
function removalsIn(change: ValueChange): readonly Removal[] {
  const after = change.after ?? {};
  return Object.entries(change.before ?? {})
    .filter(([entry]) => !Object.hasOwn(after, entry))
    .map(([entry, value]: [string, unknown]) => ({ entry, value, change }));
}
