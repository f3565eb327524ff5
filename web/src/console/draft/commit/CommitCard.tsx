import type { Preview, Receipt } from '@charter/client';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import cardStyles from '../../page-parts/Card.module.css';
import controlStyles from '../../page-parts/Controls.module.css';
import { DisappearingButton } from '../../page-parts/DisappearingButton';
import { isField } from '../../page-parts/ignores-single-key';
import { Wait } from '../../page-parts/Wait';
import type { CallFailure } from '../../problem';
import { TooMany } from '../../commands/TooMany';
import type { DatedPreview } from '../preview/useDatedPreview';
import { UndoLink } from '../undo/UndoLink';
import { CopyLink } from '../CopyLink';
import styles from '../Draft.module.css';
import { refusalInWords } from '../../commands/refusal-words';
import { typed } from '../../organization/history/wording/typed-text';
import type { CommittedEvents } from './commits-of-tab';
import type { CommitState } from './useCommit';
import type { useDraftWords } from '../words/useDraftWords';

type Words = ReturnType<typeof useDraftWords>;
type ShownPreview = DatedPreview & Readonly<{ shown: string }>;
type CardOf = Readonly<{
  id: string;
  state: CommitState;
  /** Undefined until the service has answered, and while the outcome of another draft's commit is unknown. */
  preview: DatedPreview | undefined;
  words: Words;
  isPast: boolean;
  onCommit: (preview: ShownPreview) => void;
  /** Repeats the request of the commit at once, while its outcome is unknown. */
  onAskAgain: () => void;
}>;

/** The roles that may commit the draft, the button, and the result of the commit. */
export function CommitCard({ id, state, preview, words, isPast, onCommit, onAskAgain }: CardOf) {
  const { text, name, oneOf } = words;
  const heading = useRef<HTMLHeadingElement>(null);
  const shownStep = useRef(state.step);
  useEffect(() => {
    if (shownStep.current === state.step) return;
    shownStep.current = state.step;
    if (state.step === 'sending' || state.step === 'done') heading.current?.focus(); // the button is gone
  }, [state.step]);
  const isOpen = state.step === 'not-sent' || state.step === 'not-as-shown' || state.step === 'refused';
  const committable = preview !== undefined && !isPast && isOpen && isCommittable(preview) ? preview : undefined;
  const link = useAddressOfPresent();
  const may = preview?.may ?? [];
  const roles = missingRoles(may);
  return (
    <section className={cardStyles['card']} aria-labelledby="commit">
      <h2 id="commit" ref={heading} tabIndex={-1}>
        {text(state.step === 'done' ? 'draft.done' : 'draft.commit-title')}
      </h2>
      {isOpen && isPast && <p>{text('draft.past')}</p>}
      {state.step === 'not-sent' && state.earlier && <Earlier {...{ id, words }} {...state.earlier} />}
      {isOpen && !isPast && <WhoMay {...{ may, words }} />}
      {isOpen && !isPast && preview?.events.length === 0 && preview.refused === undefined && (
        <p>{text('draft.no-events')}</p>
      )}
      <div role="status">
        {state.step === 'sending' && <p>{text('draft.sending')}</p>}
        {state.step === 'unknown' && (
          <>
            <p>{text('draft.unknown')}</p>
            <p className={cardStyles['caption']}>{text('draft.unknown.repeats')}</p>
          </>
        )}
        {state.step === 'never-known' && <p>{text('draft.never-known')}</p>}
        {state.step === 'done' && <Done {...{ id, words }} receipt={state.receipt} />}
      </div>
      {state.step === 'unknown' && (
        <div className={styles['commit']}>
          <DisappearingButton onClick={onAskAgain}>{text('command.ask-again')}</DisappearingButton>
          <Countdown waitMs={state.waitMs} attempt={state.attempt} />
        </div>
      )}
      {state.step === 'refused' && <Refused failure={state.failure} words={words} />}
      {isOpen && (
        <p className={styles['commit']}>
          {committable && (
            <CommitButton
              label={text(state.step === 'not-as-shown' ? 'draft.commit-new' : 'draft.commit', {
                organization: typed(words.organization),
              })}
              onPress={() => onCommit(committable)}
            />
          )}
          <CopyLink
            label={roles.length === 0 ? text('draft.copy') : text('draft.copy-for', { roles: oneOf(roles.map(name)) })}
            link={link}
          />
        </p>
      )}
    </section>
  );
}

const isCommittable = (preview: DatedPreview): preview is ShownPreview =>
  preview.shown !== undefined && preview.events.length > 0 && preview.may.every(({ may }) => may);

/**
 * The button that commits the draft. Ctrl and Enter also commit it, unless another part of the page handles these keys.
 */
function CommitButton({ label, onPress }: Readonly<{ label: string; onPress: () => void }>) {
  const current = useRef(onPress);
  current.current = onPress;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      if (event.defaultPrevented || isOfOtherPart(event.target)) return;
      event.preventDefault();
      current.current();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <button type="button" className={controlStyles['commit']} onClick={onPress}>
      {label}
    </button>
  );
}

/** Whether a dialog is open, or the focus is on a link, in a field, or on the text that opens details. */
const isOfOtherPart = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null ||
  isField(target) ||
  (target instanceof HTMLElement && target.closest('a, summary') !== null);

type May = Preview['may'];

/** The lines of the draft that the person may not execute, with the roles that may execute them. */
function WhoMay({ may, words: { text, number, list, oneOf, name } }: Readonly<{ may: May; words: Words }>) {
  const others = may.filter((one) => !one.may);
  if (others.length === 0) return null;
  const groups = Map.groupBy(others, ({ takes }) => oneOf(takes.filter(isRole).map(name)));
  return (
    <>
      <p>{text('draft.may', { mine: number(may.length - others.length), all: number(may.length) })}</p>
      <ul>
        {[...groups].map(([roles, lines]) => (
          <li key={roles}>
            {text('draft.takes', {
              ...{ count: lines.length, roles },
              lines: list(lines.map(({ index }) => number(index + 1))),
            })}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Scopes of API keys contain a colon. */
const isRole = (role: string) => !role.includes(':');

/** The roles that may execute every line which the person may not execute. */
const missingRoles = (may: May): readonly string[] =>
  may
    .filter((one) => !one.may)
    .map(({ takes }) => takes.filter(isRole))
    .reduce<readonly string[] | undefined>(
      (all, takes) => all?.filter((role) => takes.includes(role)) ?? takes,
      undefined,
    ) ?? [];

/**
 * The address of the draft for a person who may commit it. The address contains the events that the draft undoes, so
 * that this person also sees which values the draft does not restore. The address does not contain the moment of the
 * page.
 */
function useAddressOfPresent() {
  const { pathname, search, hash } = useLocation();
  return useCallback(() => {
    const undone = [...new URLSearchParams(search)].filter(([name]) => name === 'undo' || name === 'only');
    const query = undone.length === 0 ? '' : `?${new URLSearchParams(undone).toString()}`;
    return Promise.resolve(`${window.location.origin}${pathname}${query}${hash}`);
  }, [hash, pathname, search]);
}

/** Counts down the seconds until the page repeats the request of a commit whose outcome is unknown. */
function Countdown({ waitMs, attempt }: Readonly<{ waitMs: number; attempt: number }>) {
  // eslint-disable-next-line react-hooks/exhaustive-deps -- each attempt begins a new pause
  const until = useMemo(() => Date.now() + waitMs, [waitMs, attempt]);
  return waitMs > 0 && <Wait key={until} until={until} />;
}

type EarlierOf = Readonly<{ id: string; words: Words }> & CommittedEvents;

/** Says that this tab has already committed the same draft, with links to the events of that commit. */
function Earlier({ id, words: { text, number }, first, last }: EarlierOf) {
  return (
    <p>
      {text('draft.earlier', { count: last - first + 1, first: `#${number(first)}`, last: `#${number(last)}` })}{' '}
      <Link to={`/org/${id}/history/${last}`}>{text('draft.earlier.event', { event: number(last) })}</Link>
    </p>
  );
}

function Done({ id, receipt: { events, revision }, words }: Readonly<{ id: string; receipt: Receipt; words: Words }>) {
  const { text, number, sentence } = words;
  const first = revision - events.length + 1;
  if (events.length === 0) return <p>{text('draft.done.nothing')}</p>;
  return (
    <>
      <p>
        {text('draft.done.events', { count: events.length, first: `#${number(first)}`, last: `#${number(revision)}` })}
      </p>
      <ul>
        {events.map((event, index) => (
          <li key={first + index}>
            <Link to={`/org/${id}/history/${first + index}`}>#{number(first + index)}</Link> {sentence(event)}
          </li>
        ))}
      </ul>
      <UndoLink id={id} first={first} last={revision} />
    </>
  );
}

type RefusedOf = Readonly<{ failure: CallFailure; words: Words }>;

/** Says that the whole commit was refused, and why. */
function Refused({ failure: { status, reason: type, problem, retryAfter }, words }: RefusedOf) {
  const { text } = words;
  if (status === 429)
    return (
      <p role="alert">
        <TooMany seconds={retryAfter} />
      </p>
    );
  const { reason, help } = refusalInWords(problem ?? { type }, words);
  return (
    <p role="alert">
      {text('draft.commit-refused')} {reason} {help}
    </p>
  );
}
