import { type ReactNode, useEffect, useState } from 'react';
import { useText } from '../../text';
import styles from './Region.module.css';
import type { CallFailure } from '../problem';
import { answerOf, type FirstLoad } from './answer-of';
import { TroubleBox } from './TroubleBox';

const SKELETON_AFTER_MS = 300;

type Of<Data> = Readonly<{
  /** The name of the region's content, as the subject of a sentence: "Limits". */
  name: string;
  query: Parameters<typeof answerOf<Data>>[0] & FirstLoad & Readonly<{ refetch: () => unknown }>;
  rows?: number;
  children: (data: Data) => ReactNode;
}>;

/** A region of a page that handles its own query: it shows that the query is loading, loaded, refreshing or failed. */
export function Region<Data>({ name, query, rows = 3, children }: Of<Data>) {
  const { error, isFetching, refetch } = query;
  const data = answerOf(query);
  const trouble = error !== undefined && !isFetching && (
    <TroubleBox name={name} trouble={error as CallFailure} retry={refetch} />
  );
  if (data !== undefined)
    return (
      <div aria-busy={isFetching} className={styles['region']}>
        {isFetching && <span className={styles['refreshing']} />}
        {trouble}
        {children(data)}
      </div>
    );
  if (trouble) return trouble;
  return (
    <>
      <Waits {...query} />
      <Skeleton name={name} rows={rows} />
    </>
  );
}

/**
 * An empty element in the place of a part that may still appear. While this element is on the page, the page does not
 * show the parts below it (`Region.module.css`). So no visible part moves when the missing part appears. With the
 * properties of a query, the element disappears at the first answer or failure. Without these properties, it stays.
 */
export const Waits = ({ isLoading = true, error }: FirstLoad) => isLoading && !error && <div data-waits />;

/** A placeholder in the shape of the content, which appears only if the content loads slowly. */
export function Skeleton({ name, rows }: Readonly<{ name: string; rows: number }>) {
  const text = useText();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" className={styles['skeleton']} data-late={late}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
      <p role="status" className="unseen">
        {late && text('loading', { name })}
      </p>
    </div>
  );
}
