import type { EventPage, HistoryEvent } from '@charter/client';
import { Link } from 'react-router-dom';
import { useDifferenceQuery, useEntitlementsQuery, useEventQuery, useEventsQuery } from '../../../api';
import { UndoLink } from '../../../draft/undo/UndoLink';
import { evidenceOf } from '../../../moment/evidence';
import { isRevision, PRESENT } from '../../../moment/page-moment';
import cardStyles from '../../../page-parts/Card.module.css';
import { CopyButton } from '../../../page-parts/CopyButton';
import { MomentText } from '../../../page-parts/Moment';
import { Region } from '../../../page-parts/Region';
import { MomentLink } from '../../lists/MomentLink';
import { CauseList } from '../compare/CauseList';
import { DifferenceGroups } from '../differences/DifferenceGroups';
import { linesOf } from '../differences/difference-lines';
import { type HistoryWords, useHistoryWords } from '../wording/useHistoryWords';
import styles from './EventView.module.css';
import { HashLine } from './HashLine';

type ViewOf = Readonly<{ id: string; revision: string }>;

/** One event: the event as a sentence, its moments, what it changed, and the check of its hash. */
export function EventView({ id, revision }: ViewOf) {
  const words = useHistoryWords(id);
  const { data: present } = useEntitlementsQuery({ id, moment: PRESENT });
  const number = isRevision(revision) ? Number(revision) : undefined;
  const exists = number !== undefined && (present === undefined || number <= present.revision);
  const query = useEventQuery({ id, revision: number ?? 0 }, { skip: !exists });
  if (!exists) return <NoEvent words={words} />;
  return (
    <Region<EventPage> name={words.text('event-page.name')} query={query} rows={8}>
      {({ events: [event] }) =>
        event ? <Event {...{ id, event, words }} head={present?.revision} /> : <NoEvent words={words} />
      }
    </Region>
  );
}

function NoEvent({ words: { text } }: Readonly<{ words: HistoryWords }>) {
  return (
    <>
      <p>{text('moment.problem.beyond')}</p>
      <p>
        <Link to="../history">{text('event-page.to-history')}</Link>
      </p>
    </>
  );
}

type EventOf = Readonly<{ id: string; event: HistoryEvent; words: HistoryWords }>;

function Event({ id, event, words, head }: EventOf & Readonly<{ head: number | undefined }>) {
  const { text } = words;
  const { revision, type, metadata, data, repeats, unreadable } = event;
  const effectiveAt = data?.['effectiveAt'];
  const to = (other: number) => `/org/${id}/history/${other}`;
  const own = metadata && evidenceOf(revision, metadata.hash);
  return (
    <>
      <p className={styles['sentence']}>
        {words.sentence(event)} <code>{type}</code>
      </p>
      {unreadable && <p role="alert">{text('event-page.unreadable')}</p>}
      <div className={styles['acts']}>
        <Link to={{ pathname: `/org/${id}/overview`, search: `asOf=${revision}` }}>{text('event-page.look')}</Link>
        {revision > 0 && <MomentLink to={to(revision - 1)}>{text('moment.previous')}</MomentLink>}
        {head !== undefined && revision < head && <MomentLink to={to(revision + 1)}>{text('moment.next')}</MomentLink>}
        <MomentLink to={`/org/${id}/history`} query={{ event: String(revision) }}>
          {text('event-page.to-history')}
        </MomentLink>
        <UndoLink id={id} first={revision} last={revision} />
        <span>
          {text('moment.copy-link')}{' '}
          <CopyButton
            what={text('event-page.link')}
            value={`${window.location.origin}/org/${id}/history/${revision}${own ? `?head=${own}` : ''}`}
          />
        </span>
      </div>
      <section className={cardStyles['card']} aria-labelledby="about">
        <h2 id="about">{text('event-page.about')}</h2>
        <dl className={styles['facts']}>
          {metadata && (
            <>
              <dt>{text('history.recorded')}</dt>
              <dd>
                <MomentText at={metadata.at} />
              </dd>
            </>
          )}
          {typeof effectiveAt === 'string' && effectiveAt !== metadata?.at && (
            <>
              <dt>{text('event-page.in-force')}</dt>
              <dd>
                <MomentText at={effectiveAt} /> {metadata && effectiveAt < metadata.at && text('event-page.back-dated')}
              </dd>
            </>
          )}
          {metadata && (
            <>
              <dt>{text('history.actor')}</dt>
              <dd>
                <MomentLink to={`/org/${id}/history`} query={{ actor: metadata.actor.id }}>
                  {words.actor(metadata.actor)}
                </MomentLink>{' '}
                <code>{metadata.actor.id}</code>
              </dd>
            </>
          )}
          {repeats !== undefined && (
            <>
              <dt>{text('event-page.repeats')}</dt>
              <dd>
                <MomentLink to={to(repeats)}>#{words.number(repeats)}</MomentLink>
              </dd>
            </>
          )}
        </dl>
      </section>
      <Changes {...{ id, event, words }} />
      {metadata && <Siblings {...{ id, event, words }} correlation={metadata.correlation} />}
      <section className={cardStyles['card']} aria-labelledby="proof">
        <h2 id="proof">{text('event-page.hash')}</h2>
        <HashLine id={id} event={event} />
        <details>
          <summary>{text('event-page.json')}</summary>
          <CopyButton what={text('event-page.json')} value={JSON.stringify(event, null, 2)} />
          <pre className={styles['json']} tabIndex={0} aria-label={text('event-page.json')}>
            {JSON.stringify(event, null, 2)}
          </pre>
        </details>
      </section>
    </>
  );
}

/** The changes that the event made: the difference between the previous revision and the revision of the event. */
function Changes({ id, event: { revision, metadata }, words }: EventOf) {
  const { text } = words;
  // The founding has no revision before it, so its difference begins at a moment before the founding.
  const from = revision > 0 ? String(revision - 1) : momentBefore(metadata?.at);
  const query = useDifferenceQuery({ id, from, to: String(revision) });
  return (
    <Region name={text('event-page.changes')} query={query}>
      {(difference) => {
        const lines = linesOf(difference, words);
        return lines.length > 0 ? (
          <DifferenceGroups lines={lines} words={words} below={(line) => <CauseList {...{ id, line, words }} />} />
        ) : (
          <p>{text('event-page.no-changes')}</p>
        );
      }}
    </Region>
  );
}

const momentBefore = (at: string | undefined): string => new Date(Date.parse(at ?? '1970-01-02') - 1).toISOString();

/** The other events of the same request or of the same message from billing. */
function Siblings({ id, event, words, correlation }: EventOf & Readonly<{ correlation: string }>) {
  const { text, number, sentence } = words;
  const query = useEventsQuery({ id, filter: { correlation, limit: '100' } });
  const others = query.data?.events.filter(({ revision }) => revision !== event.revision) ?? [];
  return (
    <section className={cardStyles['card']} aria-labelledby="siblings">
      <h2 id="siblings">{text('event-page.siblings')}</h2>
      <p>
        <code>{correlation}</code>
      </p>
      <Region<EventPage> name={text('event-page.siblings')} query={query} rows={1}>
        {({ events, next }) =>
          others.length === 0 ? (
            <p>{text('event-page.no-siblings')}</p>
          ) : (
            <>
              <ul>
                {others.map((other) => (
                  <li key={other.revision}>
                    <MomentLink to={`/org/${id}/history/${other.revision}`}>#{number(other.revision)}</MomentLink>{' '}
                    {sentence(other)}
                  </li>
                ))}
              </ul>
              {next !== null && <p>{text('event-page.more-siblings', { count: number(events.length) })}</p>}
            </>
          )
        }
      </Region>
    </section>
  );
}
