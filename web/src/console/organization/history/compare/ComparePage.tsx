import type { Difference } from '@charter/client';
import { Fragment, useContext, useEffect, useRef } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useDifferenceQuery, useEntitlementsQuery, useEventQuery } from '../../../api';
import { LiveContext } from '../../../live/live-context';
import { evidenceOf } from '../../../moment/evidence';
import { isRevision, PRESENT } from '../../../moment/page-moment';
import controlStyles from '../../../page-parts/Controls.module.css';
import { ignoresSingleKey } from '../../../page-parts/ignores-single-key';
import { CopyButton } from '../../../page-parts/CopyButton';
import { MOMENT, Sentence } from '../../../page-parts/Moment';
import { Region, Skeleton } from '../../../page-parts/Region';
import { TroubleBox } from '../../../page-parts/TroubleBox';
import { type CallFailure, failureKind } from '../../../problem';
import { useWords } from '../../../words';
import { OrganizationFrame } from '../../OrganizationFrame';
import { DifferenceGroups } from '../differences/DifferenceGroups';
import { type DifferenceLine, linesOf } from '../differences/difference-lines';
import { ForAuditors } from '../ForAuditors';
import { type HistoryWords, useHistoryWords } from '../wording/useHistoryWords';
import { CauseList } from './CauseList';
import { addressOf, type ComparedEnds, endsIn, isBackwards, withEnds } from './compared-ends';
import { asMarkdown, asPatch } from './comparison-text';
import styles from './ComparePage.module.css';
import { EndsForm } from './EndsForm';

/** The changes between two moments, and the events that caused them. */
export default function ComparePage() {
  const { text } = useWords();
  return (
    <OrganizationFrame title={text('compare.title')} hasMoment={false}>
      {({ id }) => (
        <ForAuditors id={id}>
          <Comparison id={id} />
        </ForAuditors>
      )}
    </OrganizationFrame>
  );
}

function Comparison({ id }: Readonly<{ id: string }>) {
  const words = useHistoryWords(id);
  const { text } = words;
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const atPresent = useEntitlementsQuery({ id, moment: PRESENT });
  const { seen } = useContext(LiveContext);
  const { data: present, error, refetch } = atPresent;
  if (!present)
    return failureKind(atPresent) === 'failed' ? (
      <TroubleBox name={text('compare.title')} trouble={error as CallFailure} retry={refetch} />
    ) : (
      <Skeleton name={text('compare.title')} rows={8} />
    );
  // If the address contains no ends, new events move the ends only after the person asks for the new events.
  const ends = endsIn(new URLSearchParams(search), seen ?? present.revision);
  const show = (next: ComparedEnds) => void navigate({ pathname, search: withEnds(search, next) });
  return (
    <>
      <EndsForm {...{ ends, words }} onShow={show} />
      {ends ? (
        <Compared {...{ id, ends, words }} head={present.revision} onShow={show} />
      ) : (
        <p role="alert">{text('compare.unreadable')}</p>
      )}
    </>
  );
}

type ComparedOf = Readonly<{
  id: string;
  ends: ComparedEnds;
  words: HistoryWords;
  head: number;
  onShow: (ends: ComparedEnds) => void;
}>;

function Compared({ id, ends, words, head, onShow }: ComparedOf) {
  const { text } = words;
  const mixed = [ends.from, ends.to].find((end) => !isRevision(end) && (isRevision(ends.from) || isRevision(ends.to)));
  const atMoment = useEntitlementsQuery({ id, moment: { asOf: mixed ?? '' } }, { skip: mixed === undefined });
  const failure = failureKind(atMoment);
  const hasFailed = failure !== undefined && failure !== 'missing'; // a missing moment has a message of its own
  const isKnown = mixed === undefined || (!atMoment.isFetching && !hasFailed);
  const backwards = isBackwards(ends, atMoment.currentData?.revision);
  const swapped = { ...ends, from: ends.to, to: ends.from };
  const query = useDifferenceQuery({ id, ...(backwards ? swapped : ends) }, { skip: !isKnown });
  const later = backwards ? 'from' : 'to';
  const laterRevision = isRevision(ends[later]) ? Number(ends[later]) : query.data?.to.revision;
  useCompareKeys({ ends, later, revision: isKnown ? laterRevision : undefined, head, onShow });
  if (hasFailed)
    return <TroubleBox name={text('compare.title')} trouble={atMoment.error as CallFailure} retry={atMoment.refetch} />;
  return (
    <>
      <p className={styles['acts']}>
        <button type="button" className={controlStyles['button']} onClick={() => onShow(swapped)}>
          {text('compare.swap')}
        </button>
      </p>
      {failureKind(query) === 'missing' ? (
        <p role="alert">{text((query.error as CallFailure).status === 400 ? 'compare.refused' : 'compare.before')}</p>
      ) : (
        <Region<Difference> name={text('compare.title')} query={query} rows={8}>
          {(difference) => {
            const lines = linesOf(difference, words);
            const shown = backwards ? lines.map(turned) : lines;
            return <Lines {...{ id, difference, words, backwards, ends }} lines={shown} />;
          }}
        </Region>
      )}
    </>
  );
}

const turned = (line: DifferenceLine): DifferenceLine => ({ ...line, before: line.after, after: line.before });

type LinesOf = Readonly<{
  id: string;
  difference: Difference;
  lines: readonly DifferenceLine[];
  words: HistoryWords;
  backwards: boolean;
  ends: ComparedEnds;
}>;

function Lines({ id, difference, lines, words, backwards, ends }: LinesOf) {
  const { text, number } = words;
  const endInWords = ({ revision }: Difference['from'], moment: string) =>
    text('compare.end', { revision: revision < 0 ? '–' : number(revision), moment });
  const both = backwards ? [difference.to, difference.from] : [difference.from, difference.to];
  const { revision } = difference.to;
  const last = useEventQuery({ id, revision }).currentData?.events[0];
  const evidence = last?.metadata && `&head=${evidenceOf(revision, last.metadata.hash)}`;
  const link = `${window.location.origin}/org/${id}/compare?${addressOf(ends)}${evidence ?? ''}`;
  return (
    <>
      <p className={styles['summary']}>
        <strong>
          {both.map((end, index) => (
            <Fragment key={index}>
              {index > 0 && ' → '}
              <Sentence of={endInWords(end, MOMENT)} at={end.moment} />
            </Fragment>
          ))}
        </strong>{' '}
        · {text('compare.events', { count: difference.events })}
        {difference.valid !== null && (
          <>
            {' '}
            · <Sentence of={text('moment.in-force-at', { moment: MOMENT })} at={difference.valid} />
          </>
        )}
      </p>
      <p className={styles['acts']}>
        {[
          {
            label: text('compare.markdown'),
            value: asMarkdown(both.map((end) => endInWords(end, end.moment)).join(' → '), lines, words),
          },
          { label: text('compare.patch'), value: asPatch(difference, backwards) },
          { label: text('compare.link'), value: link },
        ].map(({ label, value }) => (
          <span key={label}>
            {label} <CopyButton label={label} value={value} />
          </span>
        ))}
      </p>
      {lines.length === 0 ? (
        <p>{text('compare.nothing')}</p>
      ) : (
        <DifferenceGroups lines={lines} words={words} below={(line) => <CauseList {...{ id, line, words }} />} />
      )}
      <p>
        <Link to={`/org/${id}/history`}>{text('event-page.to-history')}</Link>
      </p>
    </>
  );
}

type KeysOf = Pick<ComparedOf, 'ends' | 'head' | 'onShow'> &
  Readonly<{
    /** The end that is later, also after a swap. */
    later: 'from' | 'to';
    /** The revision of the later end; undefined until it is known. */
    revision: number | undefined;
  }>;

/** The key `x` swaps the ends. The keys `[` and `]` move the later end by one event, and not the moment of the page. */
function useCompareKeys(given: KeysOf): void {
  const current = useRef(given);
  current.current = given;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (ignoresSingleKey(event.target)) return;
      const { ends, later, revision, head, onShow } = current.current;
      const by = { '[': -1, ']': 1 }[event.key];
      if (event.key === 'x') onShow({ ...ends, from: ends.to, to: ends.from });
      else if (by !== undefined) {
        const next = (revision ?? -Infinity) + by;
        if (next >= 0 && next <= head) onShow({ ...ends, [later]: String(next) });
      } else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, []);
}
