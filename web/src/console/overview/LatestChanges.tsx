import type { EventPage, Timeline } from '@charter/client';
import { useLingui } from '@lingui/react';
import { useContext, useState } from 'react';
import { useEventsQuery, useTimelineQuery } from '../api';
import { LiveContext } from '../live/live-context';
import { ScrubbedContext } from '../moment/scrubbing';
import { type HistoryWords, useHistoryWords } from '../organization/history/wording/useHistoryWords';
import listStyles from '../organization/lists/List.module.css';
import { MomentLink } from '../organization/lists/MomentLink';
import cardStyles from '../page-parts/Card.module.css';
import { MomentText } from '../page-parts/Moment';
import { Region } from '../page-parts/Region';
import { timeAgo } from './time-ago';

const EVENTS = '5';

type LatestOf = Readonly<{
  id: string;
  /** The revision that the page shows. */
  revision: number;
  past: boolean;
}>;

/**
 * The latest five changes up to the page's moment, without traffic reports, and how much of the history is signed.
 * Events that are recorded later appear only after the person presses a button, so that no row moves while the person
 * reads.
 */
export default function LatestChanges({ id, revision, past }: LatestOf) {
  const words = useHistoryWords(id);
  const { text } = words;
  const isScrubbing = useContext(ScrubbedContext) !== undefined;
  const { seen = revision } = useContext(LiveContext);
  const last = past ? revision : seen;
  const [shown, setShown] = useState(last);
  if (!isScrubbing && shown !== last) setShown(last);
  const filter = { to: String(shown), 'not-type': 'TrafficReported', order: 'newest', limit: EVENTS };
  const query = useEventsQuery({ id, filter });
  return (
    <section className={cardStyles['card']} aria-labelledby="latest">
      <h2 id="latest">{text('latest.title')}</h2>
      <Region<EventPage> name={text('latest.title')} query={query} rows={5}>
        {({ events }) => (
          <ol className={listStyles['rows']}>
            {events.map((event) => (
              <LatestChange key={event.revision} {...{ id, event, words }} />
            ))}
          </ol>
        )}
      </Region>
      <p>
        <MomentLink to={`/org/${id}/history`}>{text('latest.all')}</MomentLink>
      </p>
      <Signed id={id} words={words} />
    </section>
  );
}

type ChangeOf = Readonly<{ id: string; event: EventPage['events'][number]; words: HistoryWords }>;

function LatestChange({ id, event, words }: ChangeOf) {
  const { number } = words;
  const { revision, metadata } = event;
  return (
    <li>
      <MomentLink to={`/org/${id}/history/${revision}`}>{words.sentence(event)}</MomentLink>
      {metadata && (
        <span className={listStyles['detail']}>
          #{number(revision)} · <MomentText at={metadata.at} /> · {words.actor(metadata.actor)}
        </span>
      )}
    </li>
  );
}

/** Up to which event the history is signed, and how many events the signature does not cover. */
function Signed({ id, words }: Readonly<{ id: string; words: HistoryWords }>) {
  const { text, number } = words;
  const { i18n } = useLingui();
  const query = useTimelineQuery({ id, axis: 'event' });
  return (
    <Region<Timeline> name={text('latest.proof')} query={query} rows={1}>
      {({ signed, last }) => (
        <p>
          {signed
            ? text('latest.signed', {
                ago: timeAgo(signed.at, Date.now(), i18n.locale),
                revision: number(signed.events - 1),
                count: last.revision + 1 - signed.events,
              })
            : text('latest.not-signed')}{' '}
          <MomentLink to={`/org/${id}/proof`}>{text('latest.proof')}</MomentLink>
        </p>
      )}
    </Region>
  );
}
