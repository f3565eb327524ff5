import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useEntitlementsQuery, useEventQuery, useStandingQuery } from '../../api';
import controlStyles from '../../page-parts/Controls.module.css';
import { useWords } from '../../words';
import { eventWords } from '../event-words';
import type { Question } from './MomentField';
import { type Described, OpenBar } from './OpenBar';
import { isPastMoment, type PageMoment, PRESENT } from '../page-moment';
import type { Scrubbed } from '../scrubbing';
import styles from './TimeBar.module.css';
import { useBarKeys } from './useBarKeys';
import { usePageMoment } from '../usePageMoment';
import { usePageSteps } from './usePageSteps';
import { usePlay } from './usePlay';
import { useScrub } from '../useScrub';
import { Wait } from './Wait';

type TimeBarOf = Readonly<{ id: string; onScrub: (answers: Scrubbed) => void }>;

/** The bar that moves a page of an organization to another moment. Members without the right to audit see no bar. */
export default function TimeBar({ id, onScrub }: TimeBarOf) {
  const { data: standing } = useStandingQuery(id);
  const { data: present } = useEntitlementsQuery({ id, moment: PRESENT });
  const mayLookBack = standing?.reads.includes('history') === true;
  if (!mayLookBack || !present || present.revision === 0) return null;
  return <Bar id={id} head={present.revision} onScrub={onScrub} />;
}

function Bar({ id, head, onScrub }: TimeBarOf & Readonly<{ head: number }>) {
  const words = useWords();
  const { text, number } = words;
  const { moment, isUnreadable, evidence, isCompared, compare, show } = usePageMoment();
  const { data: shown, fulfilledTimeStamp } = useEntitlementsQuery({ id, moment });
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<Question>('recorded');
  const field = useRef<HTMLInputElement>(null);
  const atRest = useCallback((revision: number) => show({ asOf: String(revision) }, { replace: true }), [show]);
  const { thumb, step: thumbStep, differs, waitsUntil, scrub, cancel } = useScrub(id, head, onScrub, atRest);
  const past = isPastMoment(moment) || isUnreadable || thumb !== undefined;
  const revision = thumb ?? shown?.revision ?? head;
  const event = useEventQuery({ id, revision }, { skip: !past || thumb !== undefined }).data?.events[0];
  const described: Described | undefined =
    thumbStep ?? (event?.metadata ? { type: event.type, ...event.metadata } : undefined);

  /** Goes to a chosen moment, and cancels a move of the slider that has not come to rest. */
  const choose = useCallback(
    (next: PageMoment, how?: { replace?: boolean }) => {
      cancel();
      show(next, how);
    },
    [cancel, show],
  );
  const { pathname } = useLocation();
  useEffect(() => cancel, [cancel, pathname]); // after a navigation, the page shows the moment of its address
  const toPresent = useCallback(() => choose(PRESENT), [choose]);
  const question = moment.valid !== undefined ? 'in-force' : moment.asOf !== undefined ? 'recorded' : asked;
  /** Asks the other question about the same moment. */
  const ask = (next: Question) => {
    setAsked(next);
    const at = moment.valid ?? described?.at;
    if (!past || isUnreadable || at === undefined || next === question) return;
    choose(next === 'in-force' ? { valid: at } : { asOf: at });
  };
  const move = useCallback(
    (by: number) => {
      const next = revision + by;
      if (next >= 0 && next < head) scrub(next);
      if (next === head) toPresent();
    },
    [head, revision, scrub, toPresent],
  );
  const stepOfPage = usePageSteps(id);
  const step = (by: 1 | -1) => {
    if (!stepOfPage) {
      move(by);
      return;
    }
    void stepOfPage(revision, by).then(
      (next) => next !== undefined && next >= 0 && (next >= head ? toPresent() : choose({ asOf: String(next) })),
      () => undefined, // the page keeps its moment
    );
  };
  const { isPlaying, play } = usePlay(move, past && revision < head);
  const open = useCallback(() => {
    setOpen(true);
    setTimeout(() => field.current?.focus());
  }, []);
  useBarKeys({
    ...{ open, close: () => setOpen(false), toPresent, step, compare, isOpen, past },
    changeQuestion: () => ask(question === 'recorded' ? 'in-force' : 'recorded'),
  });
  usePastColours(past);

  const sentence = described
    ? text('moment.recorded-by', { revision: number(revision), ...eventWords(described, words) })
    : text('moment.recorded-by.number', { revision: number(revision) });
  const spoken = useSettledText(past && !isUnreadable ? sentence : '');
  const link = () => evidenceLink(moment, described?.hash, revision);
  return (
    <section className={styles['bar']} aria-label={text('moment.bar')} data-past={past}>
      <div className={styles['line']}>
        <p>
          {past ? (
            <>
              {isUnreadable ? text('moment.unreadable') : <strong>{sentence}</strong>}
              {moment.valid !== undefined && (
                <> {text('moment.in-force-at', { moment: words.utc(moment.valid) })}</>
              )}{' '}
              {!isUnreadable && text('moment.nothing-changes')}
            </>
          ) : (
            text('moment.now', { revision: number(head), time: words.time(fulfilledTimeStamp ?? 0) })
          )}
        </p>
        <span className={styles['buttons']}>
          {past && (
            <button type="button" className={controlStyles['button']} onClick={toPresent}>
              {text('moment.back')}
            </button>
          )}
          <button
            type="button"
            className={controlStyles['button']}
            aria-expanded={isOpen}
            onClick={isOpen ? () => setOpen(false) : open}
          >
            {text('moment.look-back')}
          </button>
        </span>
      </div>
      {differs && (
        <p role="alert" className={styles['bad']}>
          {text('moment.differs')}
        </p>
      )}
      {waitsUntil !== undefined && <Wait key={waitsUntil} until={waitsUntil} />}
      {past && evidence !== null && described && (
        <Evidence evidence={evidence} revision={revision} hash={described.hash} />
      )}
      {isOpen && (
        <OpenBar
          {...{ id, head, revision, moment, past, described, question, field, isCompared, compare, isPlaying, play }}
          {...{ ask, show: choose, step, link, toPresent, scrub }}
        />
      )}
      <p role="status" className="unseen">
        {spoken}
      </p>
    </section>
  );
}

/**
 * Says whether the history is still the one with which the link was made: the hash of the revision must begin as in the
 * link.
 */
function Evidence({ evidence, revision, hash }: Readonly<{ evidence: string; revision: number; hash: string }>) {
  const { text } = useWords();
  const isSame = evidence === `${revision}.${hash.slice(0, HASH_DIGITS)}`;
  return (
    <p className={isSame ? styles['hint'] : styles['bad']} role={isSame ? undefined : 'alert'}>
      {text(isSame ? 'moment.evidence.same' : 'moment.evidence.other')}
    </p>
  );
}
const HASH_DIGITS = 16;

/** The address of the page at this moment, with the revision and the beginning of its hash. */
function evidenceLink({ valid }: PageMoment, hash: string | undefined, revision: number): string {
  const url = new URL(window.location.href);
  url.searchParams.set('asOf', String(revision));
  if (valid !== undefined) url.searchParams.set('valid', valid);
  if (hash !== undefined) url.searchParams.set('head', `${revision}.${hash.slice(0, HASH_DIGITS)}`);
  return url.href;
}

/** Shows the whole page in the colours of the past. */
function usePastColours(past: boolean): void {
  useEffect(() => {
    document.documentElement.toggleAttribute('data-past', past);
    return () => document.documentElement.removeAttribute('data-past');
  }, [past]);
}

/** A text that screen readers announce 500 ms after its last change, so that they skip the steps of a long move. */
function useSettledText(text: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 500);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
