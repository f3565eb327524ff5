import type { ValueChange } from '@charter/client';
import { Fragment, type ReactNode } from 'react';
import { useChangesInfiniteQuery, useStandingQuery } from '../../api';
import { eventWords } from '../../moment/event-words';
import cardStyles from '../../page-parts/Card.module.css';
import { MoreButton } from '../lists/MoreButton';
import { Region } from '../../page-parts/Region';
import { type HistoryWords, useHistoryWords } from '../history/wording/useHistoryWords';
import listStyles from '../lists/List.module.css';
import { EventDay } from '../lists/EventDay';
import styles from './ValueChangeCard.module.css';

type ChangePages = Readonly<{ pages: readonly Readonly<{ changes: readonly ValueChange[] }>[] }>;

/** A field of a change in words; undefined if the page does not show the field. */
export type DescribeField = (field: string, value: unknown) => readonly [label: string, words: string] | undefined;

type ChangesOf = Readonly<{
  id: string;
  /** A JSON pointer into the organization's document, in which the entries of a list are found by their ids. */
  path: string;
  title: string;
  /** The revision that the page shows; later changes are marked. */
  revision: number | undefined;
  describe: DescribeField;
}>;

/** The card with the list of changes, and below the list the children. */
export function ValueChangeCard({ children, ...list }: ChangesOf & Readonly<{ children?: ReactNode }>) {
  return (
    <section className={cardStyles['card']} aria-labelledby="changes">
      <h2 id="changes">{list.title}</h2>
      <ValueChangeList {...list} />
      {children}
    </section>
  );
}

/**
 * Each value that a field of the organization's document ever had, newest first. Members without the right to audit do
 * not see this list.
 */
function ValueChangeList({ id, path, title, revision, describe }: ChangesOf) {
  const words = useHistoryWords(id);
  const { text } = words;
  const { data: standing } = useStandingQuery(id);
  const mayRead = standing?.reads.includes('history') === true;
  const changes = useChangesInfiniteQuery({ id, path }, { skip: !mayRead });
  if (!standing) return null;
  if (!mayRead) return <p>{text('changes.no-right')}</p>;
  return (
    <Region<ChangePages> name={title} query={changes}>
      {({ pages }) => {
        const found = pages.flatMap((page) => page.changes);
        return (
          <>
            {found.length === 0 && <p>{text('changes.none')}</p>}
            <ol className={styles['changes']}>
              {found.map((change) => (
                <li key={change.revision}>
                  <Change
                    {...{ change, describe, words }}
                    isLater={revision !== undefined && change.revision > revision}
                  />
                </li>
              ))}
            </ol>
            <MoreButton query={changes}>{text('changes.more')}</MoreButton>
          </>
        );
      }}
    </Region>
  );
}

type ChangeOf = Readonly<{ change: ValueChange; describe: DescribeField; isLater: boolean; words: HistoryWords }>;

function Change({ change, describe, isLater, words }: ChangeOf): ReactNode {
  const { text } = words;
  const { event } = eventWords(change, words);
  const actor = words.actor(change.actor);
  return (
    <>
      <EventDay event={change.revision} at={change.at} isLater={isLater} /> {text('changes.by', { event, actor })}
      {isLater && <em> {text('changes.later')}</em>}
      {fieldsOf(change).map(([field, before, after]) => {
        const [label, now] = describe(field, after) ?? [];
        const [name = label, was] = describe(field, before) ?? [];
        if (name === undefined) return <Fragment key={field} />;
        return (
          <span key={field} className={listStyles['detail']}>
            {text('changes.field', { name, before: was ?? text('moment.none'), after: now ?? text('moment.none') })}
          </span>
        );
      })}
    </>
  );
}

/** The fields of a changed entry, each before and after the change. Empty if the change added or removed the entry. */
function fieldsOf({
  before,
  after,
}: ValueChange): readonly (readonly [field: string, before: unknown, after: unknown])[] {
  if (!isObject(before) || !isObject(after)) return [];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.map((field) => [field, before[field], after[field]]);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
