import { lazy, Suspense, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { useLocation, useMatch, useNavigate } from 'react-router-dom';
import { useEntitlementsQuery, useEventQuery } from '../../api';
import { LiveContext } from '../../live/live-context';
import { NewEventsButton } from '../../live/NewEventsButton';
import { WithWords } from '../../organization/later-words';
import controlStyles from '../../page-parts/Controls.module.css';
import { SPOKEN_AFTER_MS, useSettled } from '../../page-parts/useSettled';
import { useWords } from '../../words';
import { type Described, eventWords } from '../event-words';
import type { Axis } from './axis/scale';
import type { Side } from './controls/BarControls';
import { Toolbar } from './controls/Toolbar';
import { usePlay } from './controls/usePlay';
import type { Question } from './MomentField';
import { type CallFailure, failureKind } from '../../problem';
import { lookBack } from '../look-back';
import { pastProblem } from '../past-problem';
import { isIsoMoment, isPastMoment, isRevision, type PageMoment, PRESENT } from '../page-moment';
import type { Scrubbed } from '../scrubbing';
import styles from './TimeBar.module.css';
import { useBarKeys } from './useBarKeys';
import { useKeysWhileOpening } from './useKeysWhileOpening';
import { prepareOpenBar, useOpenBar } from './useOpenBar';
import { type ShowOptions, usePageMoment } from '../usePageMoment';
import { usePageSteps } from './usePageSteps';
import { useScrollPadding } from './useScrollPadding';
import { useScrub } from '../useScrub';
import { Wait } from '../../page-parts/Wait';

const ComingMoment = lazy(() => import('./ComingMoment'));
const EvidenceNote = lazy(() => import('./EvidenceNote'));
const RecordedRead = lazy(() => import('./controls/RecordedRead'));
const OtherComparison = lazy(() => import('./controls/OtherComparison'));
const UndoTo = lazy(() => import('../../draft/undo/UndoTo').then(({ UndoTo: link }) => ({ default: link })));

type TimeBarOf = Readonly<{
  id: string;
  /** The present revision of the organization. */
  head: number;
  onScrub: (answers: Scrubbed) => void;
}>;

/** The bar that moves a page of an organization to another moment (`TimeBarPlace.tsx`). */
export default function TimeBar({ id, head, onScrub }: TimeBarOf) {
  const { evidence } = usePageMoment();
  return (
    <WithWords group="bar">
      {head > 0 && <Bar {...{ id, head, onScrub }} />}
      {evidence !== null && (
        <div className={styles['evidence']}>
          <Suspense fallback={null}>
            <EvidenceNote id={id} head={head} text={evidence} />
          </Suspense>
        </div>
      )}
    </WithWords>
  );
}

function Bar({ id, head, onScrub }: TimeBarOf) {
  const words = useWords();
  const { text, number } = words;
  const {
    moment,
    isUnreadable,
    isCompared,
    otherSide,
    compare,
    compareWith,
    kept,
    show: showInAddress,
  } = usePageMoment();
  const show = useShowInNewestAddress(showInAddress);
  const { currentData: shown, data: last, error, fulfilledTimeStamp } = useEntitlementsQuery({ id, moment });
  const [isOpen, setOpen] = useState(false);
  const { OpenBar, isLoading, hasFailed } = useOpenBar(isOpen);
  const [asked, setAsked] = useState<Question>('recorded');
  const [axis, chooseAxis] = useState<Axis>('event');
  const [choosesOther, setChoosesOther] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  /** The moment at which the last move has come to rest; undefined after the address has changed. */
  const rested = useRef<string>(undefined);
  const atRest = useCallback(
    (at: PageMoment) => {
      rested.current = keyOf(at);
      show(at, { afterMove: true });
    },
    [show],
  );
  const {
    thumb,
    step: thumbStep,
    stepOf,
    differs,
    waitsUntil,
    isUnchecked,
    momentOf,
    scrub,
    scrubTo,
    goToFound,
    cancel,
  } = useScrub(id, head, onScrub, atRest);
  const past = isPastMoment(moment) || isUnreadable || thumb !== undefined;
  /** The revision of the page's moment; undefined while the answer about a chosen date loads. */
  const known = thumb ?? shown?.revision ?? (past ? chosenRevision(moment, head) : head);
  const revision = known ?? last?.revision ?? head;
  const isRefused = isPastMoment(moment) && failureKind({ error }) === 'missing';
  /** The message which says why the page cannot show the moment in the address; undefined if the page can show it. */
  const problem =
    thumb === undefined && (isUnreadable || isRefused)
      ? text(pastProblem(isRefused ? (error as CallFailure) : undefined))
      : undefined;
  const knownStep = thumbStep ?? (known === undefined ? undefined : stepOf(known));
  const needsEvent = past && known !== undefined && problem === undefined && thumb === undefined && !knownStep;
  const { currentData: page, isFetching } = useEventQuery({ id, revision }, { skip: !needsEvent });
  const event = page?.events[0];
  const described: Described | undefined =
    knownStep ?? (event?.metadata ? { type: event.type, ...event.metadata } : undefined);

  /** Goes to a chosen moment, and cancels a move of the slider that has not come to rest. */
  const choose = useCallback(
    (next: PageMoment, how?: ShowOptions) => {
      cancel();
      show(next, how);
    },
    [cancel, show],
  );
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const isHistory = useMatch('/org/:id/history') !== null; // the list itself shows how many of its events are new
  const { count, show: showNew } = useContext(LiveContext);
  useEffect(() => cancel, [cancel, pathname]); // after a navigation, the page shows the moment of its address
  const inAddress = keyOf(moment);
  useEffect(() => {
    if (rested.current !== inAddress) cancel(); // for example, Back has led to another moment
    rested.current = undefined;
  }, [cancel, inAddress]);
  const toPresent = useCallback(() => choose(PRESENT), [choose]);
  const { asOf, valid } = moment;
  const question =
    valid === undefined ? (asOf === undefined ? asked : 'recorded') : asOf === undefined ? 'in-force' : 'both';
  /**
   * Goes to a revision. If the page shows a moment in force, the moment stays, and only the events up to the revision
   * count.
   */
  const chooseRevision = useCallback(
    (next: number) => {
      const recorded = next < head ? { asOf: String(next) } : PRESENT; // the last event is the present
      choose(valid === undefined ? recorded : { ...recorded, valid });
    },
    [choose, head, valid],
  );
  /** Changes to another question about the same moment. */
  const ask = (next: Question) => {
    setAsked(next);
    const at = valid ?? described?.at;
    if (!past || problem !== undefined || at === undefined || next === question) return;
    if (next === 'in-force') choose({ valid: at });
    else if (next === 'both') choose({ asOf: asOf ?? String(revision), valid: at });
    else choose({ asOf: asOf ?? at });
  };
  const move = useCallback(
    (by: number) => {
      const next = Math.min(head, Math.max(0, revision + by));
      if (next === revision) return;
      if (next === head || valid !== undefined) chooseRevision(next);
      else scrub(next);
    },
    [chooseRevision, head, revision, scrub, valid],
  );
  const stepOfPage = usePageSteps(id);
  const eventOfPage = useMatch('/org/:id/history/:revision')?.params.revision;
  const step = (by: 1 | -1) => {
    if (eventOfPage !== undefined && isRevision(eventOfPage)) {
      const next = Number(eventOfPage) + by; // the page shows the event in its path, at each moment
      if (next >= 0 && next <= head) void navigate({ pathname: `/org/${id}/history/${next}`, search: kept });
      return;
    }
    if (!stepOfPage) {
      move(by);
      return;
    }
    goToFound(() => stepOfPage(revision, by), chooseRevision);
  };
  const shownAt = described?.at;
  const gapAhead = () => {
    const next = stepOf(revision + 1);
    return next && shownAt !== undefined ? Date.parse(next.at) - Date.parse(shownAt) : undefined;
  };
  const player = usePlay(move, past && valid === undefined && revision < head, gapAhead, revision);
  const side: Side = choosesOther || otherSide !== undefined ? 'moment' : isCompared ? 'now' : 'none';
  const chooseSide = (next: Side) => {
    setChoosesOther(next === 'moment');
    if (next !== 'moment') compareWith(next);
  };
  /** The moment in the address, if no event was recorded at this moment. */
  const between = thumb === undefined && shown !== undefined && isAfter(asOf, shownAt) ? asOf : undefined;
  const at = valid ?? (thumb === undefined && asOf !== undefined && isIsoMoment(asOf) ? asOf : shownAt);
  const bar = useRef<HTMLElement>(null);
  const opener = useRef<Element>(null);
  const open = useCallback(() => {
    if (!bar.current?.contains(field.current)) opener.current = document.activeElement;
    setOpen(true);
    field.current?.focus();
  }, []);
  const close = useCallback(() => {
    const hadFocus = bar.current?.contains(document.activeElement) === true;
    setOpen(false);
    if (hadFocus && opener.current instanceof HTMLElement) opener.current.focus();
  }, []);
  useEffect(() => lookBack.listen(open), [open]);
  useBarKeys({
    ...{ open, close, toPresent, step, compare, isOpen, past },
    changeQuestion: () => ask(question === 'recorded' ? 'in-force' : 'recorded'),
  });
  useKeysWhileOpening(isLoading, opener);
  usePastColours(past);
  useScrollPadding(bar);

  const loading = error === undefined ? text('moment.loading') : '';
  const sentence = known === undefined ? loading : sentenceOf(revision, described, valid, words);
  const spoken = useSettled(past && known !== undefined && problem === undefined ? sentence : '', SPOKEN_AFTER_MS, '');
  return (
    <section ref={bar} className={styles['bar']} aria-label={text('moment.bar')} data-past={past}>
      <div className={styles['line']} data-open={isOpen} data-cut={!isOpen && problem === undefined}>
        <p>
          {past ? (
            <>
              {problem ?? <strong>{sentence}</strong>}{' '}
              {problem === undefined && !isFetching && text('moment.nothing-changes')}
            </>
          ) : (
            text('moment.now', { revision: number(head), time: words.time(fulfilledTimeStamp ?? 0) })
          )}
        </p>
        {past && valid === undefined && known !== undefined && problem === undefined && (
          <Suspense fallback={null}>
            <UndoTo id={id} query={`undo=to:${revision}`}>
              {text('moment.undo-to')}
            </UndoTo>
          </Suspense>
        )}
        {!isHistory && <NewEventsButton count={thumb === undefined ? count : 0} onShow={showNew} />}
        <Toolbar label={text('moment.bar.buttons')} className={styles['buttons']}>
          {past && (
            <button type="button" className={controlStyles['button']} onClick={toPresent}>
              {text('moment.back')}
            </button>
          )}
          <button
            type="button"
            className={controlStyles['button']}
            aria-expanded={isOpen}
            onPointerEnter={() => void prepareOpenBar()}
            onFocus={() => void prepareOpenBar()}
            onClick={isOpen ? () => setOpen(false) : open}
          >
            {text('moment.look-back')}
          </button>
        </Toolbar>
      </div>
      {(past || isOpen) && (
        <Suspense fallback={null}>
          <RecordedRead isFloating={!isOpen} />
        </Suspense>
      )}
      {between !== undefined && (
        <p className={styles['hint']}>{text('moment.between', { moment: words.second(between) })}</p>
      )}
      {valid !== undefined && asOf === undefined && Date.parse(valid) > Date.now() && (
        <Suspense fallback={null}>
          <ComingMoment {...{ id, valid }} />
        </Suspense>
      )}
      {differs && (
        <p role="alert" className={styles['bad']}>
          {text('moment.differs')}
        </p>
      )}
      {isUnchecked && (
        <p role="status" className={styles['hint']}>
          {text('moment.unchecked')}
        </p>
      )}
      {waitsUntil !== undefined && <Wait key={waitsUntil} until={waitsUntil} />}
      {otherSide !== undefined && (
        <Suspense fallback={<p className={styles['link']} />}>
          <OtherComparison {...{ id, revision, past }} />
        </Suspense>
      )}
      {hasFailed && <p role="alert">{text('trouble.region', { name: text('moment.look-back') })}</p>}
      {OpenBar && (
        <OpenBar
          {...{ id, head, revision, moment, at, past, described, question, field, axis, chooseAxis, side, chooseSide }}
          {...{ ask, show: choose, chooseRevision, move, toPresent, choosesOther, play: player.play }}
          {...{ scrub, scrubTo, momentOf, cancel }}
          stepOfPage={stepOfPage && step}
          player={valid === undefined ? player : undefined}
          compareWith={(other) => {
            setChoosesOther(false);
            compareWith(other);
          }}
          close={close}
        />
      )}
      <p role="status" className="unseen">
        {spoken}
      </p>
    </section>
  );
}

const keyOf = ({ asOf, valid }: PageMoment): string => [asOf, valid].join();

/** Whether the moment in the address is later than the event that the page shows. */
const isAfter = (asOf: string | undefined, event: string | undefined): boolean =>
  asOf !== undefined && isIsoMoment(asOf) && event !== undefined && Date.parse(asOf) > Date.parse(event);

/**
 * The revision in the address, which the bar uses until the service answers. Undefined if the address contains a date,
 * or a revision after the last event.
 */
function chosenRevision({ asOf }: PageMoment, head: number): number | undefined {
  return asOf !== undefined && isRevision(asOf) && Number(asOf) <= head ? Number(asOf) : undefined;
}

/**
 * The sentence in the bar: whether the page shows the recorded state or the state in force, the moment, and the last
 * event that counts.
 */
function sentenceOf(
  revision: number,
  event: Described | undefined,
  valid: string | undefined,
  words: ReturnType<typeof useWords>,
): string {
  const { text, number, second } = words;
  const facts = { revision: number(revision), ...(valid !== undefined && { valid: second(valid) }) };
  if (!event) return text(valid === undefined ? 'moment.recorded-by.number' : 'moment.in-force-recorded.number', facts);
  const question = valid === undefined ? 'moment.recorded-by' : 'moment.in-force-recorded';
  return text(question, { ...facts, ...eventWords(event, words) });
}

/**
 * Returns a function that changes the moment in the newest address, because an answer may arrive after the person has
 * changed other parts of the address. While the browser loads the next page, the function does nothing.
 */
function useShowInNewestAddress(show: ShowMoment): ShowMoment {
  const { pathname } = useLocation();
  const newest = useRef(show);
  newest.current = show;
  const path = useRef('');
  useEffect(() => {
    path.current = window.location.pathname;
  }, [pathname]);
  return useCallback((next, how) => {
    if (path.current === window.location.pathname) newest.current(next, how);
  }, []);
}
type ShowMoment = ReturnType<typeof usePageMoment>['show'];

/** Shows the whole page in the colours of the past. */
function usePastColours(past: boolean): void {
  useEffect(() => {
    document.documentElement.toggleAttribute('data-past', past);
    return () => document.documentElement.removeAttribute('data-past');
  }, [past]);
}
