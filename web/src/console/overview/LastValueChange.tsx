import type { ValueChanges } from '@charter/client';
import { useEffect } from 'react';
import { useParams } from 'react-router-dom';
import { useChangesInfiniteQuery, useStandingQuery } from '../api';
import { eventWords } from '../moment/event-words';
import { inWords, pointerNames } from '../organization/history/differences/value-words';
import { useHistoryWords } from '../organization/history/wording/useHistoryWords';
import { EventDay } from '../organization/lists/EventDay';
import { MOMENT, Sentence } from '../page-parts/Moment';
import { Region } from '../page-parts/Region';
import { CHANGE_PAGES, laterChanges, useShownChanges } from './useShownChanges';

type ChangePages = Readonly<{ pages: readonly ValueChanges[] }>;
export type LastChangeOf = Readonly<{
  /** A JSON pointer in the form of the query parameter `path` of `GET …/changes`. */
  path: string;
  /** The event that the page already shows beside the value; undefined if the page shows no event there. */
  event?: number;
}>;

/**
 * The last recorded change of a value: the event, the actor, the moment from which the change is in force, and the
 * previous value. People who may not read the history see nothing.
 */
export default function LastValueChange({ path, event: shownEvent }: LastChangeOf) {
  const { id = '' } = useParams();
  const words = useHistoryWords(id);
  const { text } = words;
  const isShown = useShownChanges(id);
  const { data: standing } = useStandingQuery(id);
  const mayRead = standing?.reads.includes('history') === true;
  const query = useChangesInfiniteQuery({ id, path }, { skip: !mayRead });
  const pages = query.data?.pages ?? [];
  const changes = pages.flatMap((page) => page.changes);
  const isKnown = shownEvent !== undefined || isShown !== undefined;
  const change = changes.find((one) => (shownEvent === undefined ? isShown?.(one) : one.revision <= shownEvent));
  const { fetchNextPage, hasNextPage, isFetching, isError } = query;
  const mayGoOn = hasNextPage && pages.length < CHANGE_PAGES;
  const isFurther = !change && isKnown && mayGoOn && !isFetching && !isError;
  // A quick answer can arrive before the page renders again, so the effect runs after each render.
  useEffect(() => {
    if (isFurther) void fetchNextPage();
  });
  if (!mayRead) return null;
  return (
    <Region<ChangePages> name={text('values.title')} query={query} rows={1}>
      {() => {
        if (!change && (mayGoOn || !isKnown)) return null;
        if (!change) return <p>{hasNextPage ? laterChanges(changes.length, words) : text('values.none')}</p>;
        const { revision, at, effectiveAt, actor, before } = change;
        const { event } = eventWords(change, words);
        return (
          <p>
            {shownEvent === undefined && (
              <>
                <EventDay event={revision} at={at} isPrecise />{' '}
              </>
            )}
            {text('why.changed', { event, actor: words.actor(actor) })}
            {shownEvent === undefined && effectiveAt !== undefined && effectiveAt !== at && (
              <>
                {' '}
                · <Sentence of={text('history.in-force-from', { moment: MOMENT })} at={effectiveAt} />
              </>
            )}
            {before !== undefined && (
              <> · {text('why.replaced', { value: inWords(before, words, pointerNames(path)) })}</>
            )}
          </p>
        );
      }}
    </Region>
  );
}
