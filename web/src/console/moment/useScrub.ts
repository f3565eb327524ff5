import { useCallback, useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { api } from '../api';
import { isOnline } from '../frame/network';
import { isCallFailure } from '../problem';
import type { ConsoleDispatch } from '../store';
import type { FoundEvent } from './bar/axis/event-at';
import type { PageMoment } from './page-moment';
import type { Scrubbed } from './scrubbing';
import { BLOCK_STEPS } from './steps/block-size';
import type { RevisionAnswers } from './steps/blocks';
import { createLaterBlocks, type LaterBlocks } from './steps/later-blocks';

/** The page asks the service about the moment when the slider has not moved for this time, in milliseconds. */
const REST_MS = 150;

/** The event and the moment to which a move leads. */
type MoveTarget = {
  /** The event that the page shows; an estimate while `find` does not know the event exactly. */
  revision: number;
  /** The moment that the address gets at rest. */
  readonly moment: PageMoment;
  /** Finds the event of a moment in the loaded steps. */
  readonly find?: () => FoundEvent;
};

/**
 * Moves the page through revisions without a request for each step. At rest the page asks the service about the moment,
 * and `differs` says whether the service's answer differs from the computed answer. Until `waitsUntil`, in milliseconds
 * since 1970, the service has asked the page to send no request; undefined if the page need not wait. `isUnchecked`:
 * the browser is offline, so the page could not compare the computed answer with the service's answer.
 */
export function useScrub(
  id: string,
  head: number,
  onScrub: (answers: Scrubbed) => void,
  atRest: (moment: PageMoment) => void,
) {
  const dispatch = useDispatch<ConsoleDispatch>();
  const [thumb, setThumb] = useState<number>();
  const [differs, setDiffers] = useState(false);
  const [waitsUntil, setWaitsUntil] = useState<number>();
  const [isUnchecked, setUnchecked] = useState(false);
  const blocks = useRef<LaterBlocks>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wanted = useRef<MoveTarget>(undefined);
  /**
   * The search for the event to which the page goes next. Undefined if no search runs, or if the person has chosen
   * another moment since.
   */
  const search = useRef<Promise<number | undefined>>(undefined);
  /**
   * Until this time, in milliseconds since 1970, the service has asked the page to send no request. The time still
   * applies after the end of the move.
   */
  const pausedUntil = useRef(0);
  /**
   * Asks the service again about the moment at rest; undefined unless a request has failed because the browser was
   * offline.
   */
  const askAgain = useRef<() => void>(undefined);
  useEffect(() => {
    const again = () => askAgain.current?.();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
  const end = useCallback(() => {
    clearTimeout(timer.current);
    askAgain.current = undefined;
    wanted.current = undefined;
    setThumb(undefined);
    setWaitsUntil(undefined);
    setUnchecked(false);
    onScrub(undefined);
  }, [onScrub]);
  /** Ends the move: the page shows the moment of its address again. */
  const cancel = useCallback(() => {
    search.current = undefined;
    setDiffers(false);
    end();
  }, [end]);
  useEffect(() => cancel, [cancel]);

  const load = useCallback(
    (from: number) =>
      dispatch(api.endpoints.steps.initiate({ id, from }, { subscribe: false, forceRefetch: true })).unwrap(),
    [dispatch, id],
  );
  /** Returns the milliseconds that the service asks the page to wait after a failure. */
  const notePause = useCallback((failure: unknown): number => {
    const pause = pauseAfter(failure);
    if (pause > 0) pausedUntil.current = Date.now() + pause;
    return pause;
  }, []);
  /** Shows the wanted revision if its block is loaded. */
  const showWanted = useCallback(() => {
    const [target, known] = [wanted.current, blocks.current];
    if (!target || !known) return;
    const found = target.find?.();
    if (found) {
      const isFurther = found.revision !== target.revision;
      target.revision = found.revision;
      if (!found.isExact) {
        if (isFurther && Date.now() >= pausedUntil.current) known.want(found.revision).catch(notePause);
        return;
      }
      setThumb(found.revision);
    }
    const computed = computedAt(known, target.revision);
    if (typeof computed === 'object') onScrub(computed);
  }, [notePause, onScrub]);
  const rest = useCallback(
    async (target: MoveTarget, computed: Computed, known: LaterBlocks) => {
      const at = { id, moment: target.moment };
      const [document, entitlements] = await Promise.all([
        dispatch(api.endpoints.organization.initiate(at, { subscribe: false })).unwrap(),
        dispatch(api.endpoints.entitlements.initiate(at, { subscribe: false })).unwrap(),
      ]);
      if (wanted.current !== target) return;
      const place = { organization: id, revision: target.revision };
      const isOther = computed !== undefined && known.differs(place, computed, { document, entitlements });
      if (isOther) blocks.current = undefined;
      setDiffers(isOther);
      atRest(target.moment);
      end();
    },
    [atRest, dispatch, end, id],
  );

  /** Asks the service when the slider has rested. If the service asks the page to wait, asks again after the wait. */
  const restLater = useCallback(
    (target: MoveTarget, known: LaterBlocks) => {
      const ask = () => {
        if (Date.now() < pausedUntil.current) {
          setWaitsUntil(pausedUntil.current);
          restLater(target, known);
          return;
        }
        setWaitsUntil(undefined);
        setUnchecked(false);
        const { revision } = target;
        const neighbours = [revision + BLOCK_STEPS, revision - BLOCK_STEPS].filter((next) => next >= 0 && next <= head);
        // The page does not compare the service's answer about a date with the computed answer. The service's answer
        // and the computed answer may differ, for example if an override has ended since the last event.
        rest(target, target.find ? undefined : computedAt(known, revision), known).then(
          () => {
            const isAtRest = wanted.current === undefined && blocks.current === known;
            if (isAtRest) known.want(...neighbours).catch(notePause);
          },
          (failure: unknown) => {
            const pause = notePause(failure);
            if (wanted.current !== target) return;
            if (pause > 0) {
              ask();
              return;
            }
            // Without a connection, the page keeps the computed answers, and asks when the connection is back.
            if (isOffline(failure) && typeof computedAt(known, target.revision) === 'object') {
              setUnchecked(true);
              askAgain.current = ask;
              return;
            }
            atRest(target.moment); // the page sends its own requests for the moment, and shows their failure
            end();
          },
        );
      };
      askAgain.current = undefined;
      clearTimeout(timer.current);
      timer.current = setTimeout(ask, Math.max(REST_MS, pausedUntil.current - Date.now()));
    },
    [atRest, end, head, notePause, rest],
  );

  const moveTo = useCallback(
    (target: MoveTarget) => {
      const known = (blocks.current ??= createLaterBlocks(load, showWanted));
      const { revision } = target;
      const ahead = revision + Math.sign(revision - (wanted.current?.revision ?? revision)) * BLOCK_STEPS;
      wanted.current = target;
      search.current = undefined;
      if (!target.find) setThumb(revision);
      setDiffers(false);
      showWanted();
      // If the request for steps fails, the page still asks the service about the moment at rest, and shows the failure
      // of that request.
      if (Date.now() >= pausedUntil.current)
        known.want(revision, ...(ahead >= 0 && ahead <= head ? [ahead] : [])).catch(notePause);
      restLater(target, known);
    },
    [head, load, notePause, restLater, showWanted],
  );
  const scrub = useCallback((revision: number) => moveTo({ revision, moment: { asOf: String(revision) } }), [moveTo]);
  /** Moves the page to the last event at or before a moment, and writes the moment into the address at rest. */
  const scrubTo = useCallback(
    (moment: PageMoment, find: () => FoundEvent) => moveTo({ revision: find().revision, moment, find }),
    [moveTo],
  );
  /** Waits for the event that `find` searches, and calls `go` with its revision. Only one search runs at a time. */
  const goToFound = useCallback((find: () => Promise<number | undefined>, go: (revision: number) => void) => {
    if (search.current) return;
    const mine = (search.current = find());
    const settle = (found?: number) => {
      if (search.current !== mine) return;
      search.current = undefined;
      if (found !== undefined && found >= 0) go(found);
    };
    mine.then(settle, () => settle()); // after a failure, the page keeps its moment
  }, []);
  const momentOf = useCallback((revision: number) => blocks.current?.momentOf(revision), []);
  const step = thumb === undefined ? undefined : blocks.current?.step(thumb);
  /** The step of an event, if its block is loaded. */
  const stepOf = useCallback((revision: number) => blocks.current?.step(revision), []);
  return { thumb, step, stepOf, momentOf, differs, waitsUntil, isUnchecked, scrub, scrubTo, goToFound, cancel };
}

/** The answers that the page computed from the steps; undefined if the steps are not loaded. */
type Computed = RevisionAnswers | 'misfit' | undefined;

function computedAt(known: LaterBlocks, revision: number): Computed {
  try {
    return known.at(revision);
  } catch {
    return 'misfit'; // a line of a step does not fit the document
  }
}

/** Whether a request had no answer because the browser is offline. */
const isOffline = (failure: unknown): boolean => isCallFailure(failure) && failure.status === 0 && !isOnline();

/** The milliseconds that the service asks the page to wait; 0 if the service does not ask the page to wait. */
const pauseAfter = (failure: unknown): number =>
  isCallFailure(failure) && [429, 503].includes(failure.status) ? (failure.retryAfter ?? 0) * 1_000 : 0;
