import type { ValueChanges } from '@charter/client';
import { useEffect } from 'react';
import { useParams } from 'react-router-dom';
import { useChangesInfiniteQuery } from '../api';
import { eventWords } from '../moment/event-words';
import { inWords, pointerNames } from '../organization/history/differences/value-words';
import { useHistoryWords } from '../organization/history/wording/useHistoryWords';
import { EventDay } from '../organization/lists/EventDay';
import { MOMENT, Sentence } from '../page-parts/Moment';
import { Region } from '../page-parts/Region';
import { useShownChanges } from './useShownChanges';

type ChangePages = Readonly<{ pages: readonly ValueChanges[] }>;
export type LastChangeOf = Readonly<{
  /** A JSON pointer in the form of the query parameter `path` of `GET …/changes`. */
  path: string;
  /** The event that the page already shows beside the value; undefined if the page shows no event there. */
  event?: number;
}>;

/**
 * The last recorded change of a value: the event, the actor, the moment from which the change is in force, and the
 * previous value.
 */
export default function LastValueChange({ path, event: shownEvent }: LastChangeOf) {
  const { id = '' } = useParams();
  const words = useHistoryWords(id);
  const { text } = words;
  const isShown = useShownChanges(id);
  const query = useChangesInfiniteQuery({ id, path });
  const change = query.data?.pages
    .flatMap(({ changes }) => changes)
    .find((one) => (shownEvent === undefined ? isShown?.(one) : one.revision <= shownEvent));
  const { fetchNextPage } = query;
  const isFurther = !change && query.hasNextPage && !query.isFetching && !query.isError;
  useEffect(() => {
    if (isFurther) void fetchNextPage();
  }, [isFurther, fetchNextPage]);
  return (
    <Region<ChangePages> name={text('values.title')} query={query} rows={1}>
      {() => {
        if (!change) return query.hasNextPage || !isShown ? null : <p>{text('values.none')}</p>;
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
