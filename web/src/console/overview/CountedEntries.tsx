import type { ValueChange, ValueChanges } from '@charter/client';
import { useEffect } from 'react';
import { useLocation, useParams } from 'react-router-dom';
import { useChangesInfiniteQuery, useStandingQuery } from '../api';
import { type DocumentList, pathOfList } from '../document-lists';
import { eventWords } from '../moment/event-words';
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
 * A link from a number of entries to their list, which names the event that added each entry. People who may read the
 * history also see the last removals from the list.
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
        <p>
          <MomentLink to={address}>{text('why.counted', { count: used, number: number(used) })}</MomentLink>
        </p>
      )}
      {standing?.reads.includes('history') && <LastRemovals list={list} />}
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
