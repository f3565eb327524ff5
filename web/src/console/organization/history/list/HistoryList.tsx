import type { HistoryEvent } from '@charter/client';
import { type ComponentProps, useContext, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useEntitlementsQuery } from '../../../api';
import { LiveContext } from '../../../live/live-context';
import { isRevision, PRESENT } from '../../../moment/page-moment';
import { usePageMoment } from '../../../moment/usePageMoment';
import { answerOf } from '../../../page-parts/answer-of';
import controlStyles from '../../../page-parts/Controls.module.css';
import { DisappearingButton } from '../../../page-parts/DisappearingButton';
import { Skeleton } from '../../../page-parts/Region';
import { TroubleBox } from '../../../page-parts/TroubleBox';
import { type CallFailure, failureKind } from '../../../problem';
import { MomentLink } from '../../lists/MomentLink';
import { type HistoryFilter, filterIn, isNarrow, omit, withFilter } from '../filter/event-filter';
import { FilterBox } from '../filter/FilterBox';
import { type HistoryWords, useHistoryWords } from '../wording/useHistoryWords';
import { Chosen } from './Chosen';
import { EventGrid } from './EventGrid';
import styles from './HistoryList.module.css';
import { NewEvents } from './NewEvents';
import { besideWindow, filterOf, type RowWindow, windowOf } from './row-window';
import { useEventPages } from './useEventPages';

/** The filter of the history, and the list of all matching events up to the page's moment. */
export function HistoryList({ id }: Readonly<{ id: string }>) {
  const [isFiltering, setFiltering] = useState(false);
  const words = useHistoryWords(id, { isWithFormerMembers: isFiltering });
  const { moment } = usePageMoment();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { seen, count, show } = useContext(LiveContext);
  const past = moment.asOf !== undefined;
  // Two queries, because the answer of one query would stay while its next answer loads.
  const atPast = useEntitlementsQuery({ id, moment }, { skip: !past });
  const atPresent = useEntitlementsQuery({ id, moment: PRESENT }, { skip: past });
  const atMoment = past ? atPast : atPresent;

  const address = new URLSearchParams(search);
  const filter = filterIn(address);
  const filterBy = (next: HistoryFilter) => void navigate({ pathname, search: withFilter(address, next).toString() });
  const head = moment.asOf === undefined ? seen : answerOf(atMoment)?.revision;
  const failure = failureKind(atMoment);
  const focusedPart = useRef<'thead' | 'tbody'>(undefined);
  const later = seen !== undefined && head !== undefined && moment.asOf !== undefined ? seen + count - head : 0;
  return (
    <>
      <FilterBox id={id} filter={filter} words={words} onChoose={filterBy} onBegin={() => setFiltering(true)} />
      <div className={styles['acts']}>
        <MomentLink to={`/org/${id}/compare`}>{words.text('compare.title')}</MomentLink>
        {moment.asOf === undefined && seen !== undefined && (
          <NewEvents {...{ id, filter, seen }} head={seen + count} onShow={show} />
        )}
      </div>
      {moment.asOf === undefined && moment.valid !== undefined && (
        <p className={styles['note']}>{words.text('history.in-force')}</p>
      )}
      {later > 0 && <p className={styles['note']}>{words.text('history.later', { count: later })}</p>}
      {head === undefined && failure && failure !== 'paused' ? ( // `OrganizationFrame` shows a pause
        <TroubleBox
          name={words.text('history.title')}
          trouble={atMoment.error as CallFailure}
          retry={atMoment.refetch}
        />
      ) : head === undefined ? (
        <Skeleton name={words.text('history.title')} rows={12} />
      ) : (
        <Events key={search} {...{ id, words, filter, head, filterBy, focusedPart }} />
      )}
    </>
  );
}

type EventsOf = Readonly<{
  id: string;
  words: HistoryWords;
  filter: HistoryFilter;
  head: number;
  filterBy: (filter: HistoryFilter) => void;
  focusedPart: ComponentProps<typeof EventGrid>['focusedPart'];
}>;

function Events({ id, words, filter, head, filterBy, focusedPart }: EventsOf) {
  const { text } = words;
  const { kept } = usePageMoment();
  const named = useNamedEvent();
  const part = windowOf(filter, head, named);
  const pages = useEventPages(id, part ? { ...filter, ...filterOf(part.shown) } : filter, head);
  const [chosen, setChosen] = useState<ReadonlyMap<number, HistoryEvent>>(new Map());
  const choose = (event: HistoryEvent) => {
    const next = new Map(chosen);
    if (!next.delete(event.revision)) next.set(event.revision, event);
    setChosen(next);
  };
  const addressOf = (revision: number) => `/org/${id}/history/${revision}${kept && `?${kept}`}`;
  const reorder = () => filterBy(filter.order === 'oldest' ? omit(filter, ['order']) : { ...filter, order: 'oldest' });
  const clear = <DisappearingButton onClick={() => filterBy({})}>{text('filter.clear')}</DisappearingButton>;
  if (pages.failure()?.status === 400)
    return (
      <p role="alert">
        {text('filter.refused')} {clear}
      </p>
    );
  if (pages.isEmpty() && isNarrow(filter))
    return (
      <p role="status">
        {text('filter.empty')} {clear}
      </p>
    );
  return (
    <>
      {part && <WindowNote {...{ part, words }} onChoose={(range) => filterBy({ ...filter, ...range })} />}
      <EventGrid
        {...{ pages, words, addressOf, chosen, named, focusedPart }}
        isNewestFirst={filter.order !== 'oldest'}
        onOrder={reorder}
        onChoose={choose}
      />
      <Chosen id={id} words={words} events={[...chosen.values()]} onClear={() => setChosen(new Map())} />
    </>
  );
}

type NoteOf = Readonly<{ part: RowWindow; words: HistoryWords; onChoose: (range: HistoryFilter) => void }>;

/** Says which part of a very long list has rows, with buttons that show the events before and after this part. */
function WindowNote({ part, words: { text, number }, onChoose }: NoteOf) {
  const { shown, all } = part;
  const choices = [
    ['history.window.earlier', besideWindow(part, -1)],
    ['history.window.later', besideWindow(part, 1)],
  ] as const;
  return (
    <p className={styles['part']}>
      {text('history.window', {
        ...{ first: number(shown.first), last: number(shown.last) },
        all: number(all.last - all.first + 1),
      })}{' '}
      {choices.map(
        ([name, range]) =>
          range && (
            <button key={name} type="button" className={controlStyles['button']} onClick={() => onChoose(range)}>
              {text(name)}
            </button>
          ),
      )}
    </p>
  );
}

/** The revision in the address parameter `event`; undefined without a valid revision. */
function useNamedEvent(): number | undefined {
  const event = new URLSearchParams(useLocation().search).get('event');
  return event !== null && isRevision(event) ? Number(event) : undefined;
}
