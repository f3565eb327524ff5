import type { ValueChanges } from '@charter/client';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useChangesInfiniteQuery } from '../../../api';
import { UndoTo } from '../../../draft/undo/UndoTo';
import { withParameters } from '../../../moment/page-moment';
import { usePageMoment } from '../../../moment/usePageMoment';
import cardStyles from '../../../page-parts/Card.module.css';
import controlStyles from '../../../page-parts/Controls.module.css';
import { MOMENT, MomentText, Sentence } from '../../../page-parts/Moment';
import { MoreButton } from '../../lists/MoreButton';
import { Region } from '../../../page-parts/Region';
import type { CallFailure } from '../../../problem';
import { useWords } from '../../../words';
import { OrganizationFrame } from '../../OrganizationFrame';
import { MomentLink } from '../../lists/MomentLink';
import { inWords, pointerNames, titleOf } from '../differences/value-words';
import lineStyles from '../differences/DifferenceGroups.module.css';
import { ForAuditors } from '../ForAuditors';
import { type HistoryWords, useHistoryWords } from '../wording/useHistoryWords';
import compareStyles from '../compare/ComparePage.module.css';

type ChangePages = Readonly<{ pages: readonly ValueChanges[] }>;

const PATH_LENGTH_MAX = 1_000;

/**
 * Each value that one field ever had. For each value, the page shows who changed it, when it was recorded, and from
 * when it was in force.
 */
export default function ValuePage() {
  const { text } = useWords();
  return (
    <OrganizationFrame title={text('values.title')}>
      {({ id, past, entitlements }) => (
        <ForAuditors id={id}>
          <Values id={id} revision={past ? entitlements.data?.revision : undefined} />
        </ForAuditors>
      )}
    </OrganizationFrame>
  );
}

type ValuesOf = Readonly<{
  id: string;
  /** The revision that the page shows; later changes are marked. Undefined for the present. */
  revision: number | undefined;
}>;

function Values({ id, revision }: ValuesOf) {
  const words = useHistoryWords(id);
  const { text } = words;
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { kept } = usePageMoment();
  const path = new URLSearchParams(search).get('path') ?? '';
  const [typed, setTyped] = useState(path);
  useEffect(() => setTyped(path), [path]);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void navigate({ pathname, search: withParameters({ path: typed }, kept) });
  };
  return (
    <>
      <form className={compareStyles['ends']} onSubmit={submit}>
        <label className={controlStyles['search']}>
          {text('values.path')}
          <input
            value={typed}
            maxLength={PATH_LENGTH_MAX}
            autoComplete="off"
            spellCheck={false}
            placeholder="/plans/second/plan"
            onChange={({ target: { value } }) => setTyped(value)}
          />
        </label>
        <button type="submit" className={controlStyles['button']}>
          {text('values.go')}
        </button>
      </form>
      {path !== '' && <Changes key={path} {...{ id, path, revision, words }} />}
    </>
  );
}

function Changes({ id, path, revision, words }: ValuesOf & Readonly<{ path: string; words: HistoryWords }>) {
  const { text } = words;
  const query = useChangesInfiniteQuery({ id, path });
  if (!query.isFetching && (query.error as CallFailure | undefined)?.status === 400)
    return <p role="alert">{text('values.refused')}</p>;
  return (
    <section className={cardStyles['card']} aria-labelledby="value">
      <h2 id="value">{titleOf(pointerNames(path), undefined, words)}</h2>
      <p className={cardStyles['caption']}>
        <code>{path}</code>
      </p>
      <Region<ChangePages> name={text('values.title')} query={query} rows={5}>
        {({ pages }) => {
          const changes = pages.flatMap((page) => page.changes);
          return (
            <>
              {changes.length === 0 && <p>{text('values.none')}</p>}
              <ul className={lineStyles['lines']}>
                {changes.map((change) => (
                  <Change
                    key={change.revision}
                    {...{ id, path, change, words }}
                    isLater={revision !== undefined && change.revision > revision}
                  />
                ))}
              </ul>
              <MoreButton query={query}>{text('values.more')}</MoreButton>
            </>
          );
        }}
      </Region>
    </section>
  );
}

type ChangeOf = Readonly<{ id: string; path: string; change: ValueChanges['changes'][number]; words: HistoryWords }> &
  Readonly<{ isLater: boolean }>;

function Change({ id, path, change, words, isLater }: ChangeOf) {
  const { text, number } = words;
  const { revision, at, effectiveAt, type, actor, before, after } = change;
  const names = pointerNames(path);
  return (
    <li data-change={before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'}>
      <p className={lineStyles['line']}>
        <span>
          <MomentLink to={`/org/${id}/history/${revision}`}>#{number(revision)}</MomentLink>{' '}
          {words.has(`event.${type}`) ? text(`event.${type}`) : type} · {words.actor(actor)}
          {isLater && <em> {text('values.later')}</em>}
        </span>
        <span>
          {before !== undefined && (
            <del>
              <span className="unseen">{text('change.before')} </span>
              {inWords(before, words, names)}
            </del>
          )}{' '}
          {after !== undefined && (
            <ins>
              <span className="unseen">{text('change.after')} </span>
              {inWords(after, words, names)}
            </ins>
          )}
        </span>
      </p>
      <div className={cardStyles['caption']}>
        <MomentText at={at} />
        {effectiveAt !== undefined && effectiveAt !== at && (
          <>
            {' '}
            · <Sentence of={text('history.in-force-from', { moment: MOMENT })} at={effectiveAt} />
          </>
        )}{' '}
        · <Link to={`/org/${id}/overview?asOf=${revision}`}>{text('event-page.look')}</Link>
        {isOfDocument(path) && (
          <>
            {' '}
            ·{' '}
            <UndoTo id={id} query={`undo=to:${revision}&only=${encodeURIComponent(path)}`}>
              {text('values.again')}
            </UndoTo>
          </>
        )}
      </div>
    </li>
  );
}

/**
 * Whether commands can restore an earlier value. Limits, features and traffic are computed from other values, so
 * commands cannot restore them.
 */
const isOfDocument = (path: string): boolean => !/^[/](limits|features|traffic)\b/.test(path);
