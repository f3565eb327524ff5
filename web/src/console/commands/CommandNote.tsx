import type { EventPage } from '@charter/client';
import { useParams } from 'react-router-dom';
import { useEventsQuery, useStandingQuery } from '../api';
import type { DraftFlaw } from '../draft/address/read-draft';
import { eventWords } from '../moment/event-words';
import { EventDay } from '../organization/lists/EventDay';
import { RefusalHelp } from '../organization/plan/try/RefusalHelp';
import { CopyButton } from '../page-parts/CopyButton';
import controlStyles from '../page-parts/Controls.module.css';
import { Region } from '../page-parts/Region';
import type { CallFailure } from '../problem';
import { useWords } from '../words';
import styles from './Command.module.css';
import { isKnownRefusal, refusalInWords } from './refusal-words';
import { TooMany } from './TooMany';
import type { RunnableCommand } from './useCommand';

type NoteOf = Readonly<{
  /** The HTML id of the note. A field can refer to this id with `aria-describedby`. */
  id?: string;
  command: Pick<RunnableCommand, 'outcome' | 'askAgain'>;
}>;

/**
 * The outcome of a change, below the control that began the change. The note shows a refusal with its reason and what
 * would help, events that other people recorded first, or an unknown outcome. After a success the note is empty,
 * because the page itself shows the new state.
 */
export function CommandNote({ id, command: { outcome, askAgain } }: NoteOf) {
  const { text } = useWords();
  return (
    <div id={id} role="alert" className={styles['note']}>
      {outcome.is === 'unknown' && (
        <>
          <p>{text('command.unknown')}</p>
          <button type="button" className={controlStyles['button']} onClick={askAgain}>
            {text('command.ask-again')}
          </button>
        </>
      )}
      {outcome.is === 'never-known' && <p>{text('command.never-known')}</p>}
      {outcome.is === 'not-drafted' && <p>{text(notDrafted[outcome.flaw])}</p>}
      {outcome.is === 'overtaken' && <Overtaken {...outcome} />}
      {outcome.is === 'refused' && <Refused failure={outcome.failure} />}
    </div>
  );
}

/** Why a draft cannot contain a command, and what the person can do. */
const notDrafted = {
  none: 'drafting.no-draft',
  foreign: 'drafting.no-draft',
  broken: 'drafting.no-draft',
  'too-long': 'drafting.too-long',
  'too-many': 'drafting.too-many',
  'e-mail-address': 'drafting.e-mail-address',
  'not-loaded': 'drafting.not-loaded',
} as const satisfies Readonly<Record<DraftFlaw | 'not-loaded', string>>;

/**
 * A refusal: its reason and what would help. If the page does not know the reason, it shows the id of the request,
 * which operators can search for.
 */
function Refused({ failure: { reason: type, retryAfter, problem, request } }: Readonly<{ failure: CallFailure }>) {
  const words = useWords();
  const { text } = words;
  const { id = '' } = useParams();
  const { reason, help } = refusalInWords(problem ?? { type }, words);
  return (
    <>
      <p>{type === 'too-many-attempts' && retryAfter !== null ? <TooMany seconds={retryAfter} /> : reason}</p>
      {help !== undefined && <p>{help}</p>}
      {problem && <RefusalHelp {...{ id, problem }} />}
      {!isKnownRefusal(type, words) && request !== '' && (
        <p className={styles['request']}>
          {text('trouble.request')} <code>{request}</code> <CopyButton what={text('trouble.request')} value={request} />
        </p>
      )}
    </>
  );
}

const SHOWN_EVENTS = 20;

/**
 * The newest events that other people recorded before this change. A person without the right to audit only learns that
 * there were such events.
 */
function Overtaken({ from, to }: Readonly<{ from: number; to: number }>) {
  const words = useWords();
  const { text } = words;
  const { id = '' } = useParams();
  const { data: standing } = useStandingQuery(id);
  const mayRead = standing?.reads.includes('history') === true;
  const first = Math.max(from, to - SHOWN_EVENTS + 1);
  const filter = { from: String(first), to: String(to) };
  const events = useEventsQuery({ id, filter }, { skip: !mayRead });
  return (
    <>
      <p>{text('command.overtaken')}</p>
      {mayRead && (
        <Region<EventPage> name={text('command.events')} query={events} rows={1}>
          {({ events: found }) => (
            <ul>
              {found.map(
                ({ type, revision, metadata }) =>
                  metadata && (
                    <li key={revision}>
                      <EventDay event={revision} at={metadata.at} />{' '}
                      {text('command.event', eventWords({ type, ...metadata }, words))}
                    </li>
                  ),
              )}
            </ul>
          )}
        </Region>
      )}
    </>
  );
}
