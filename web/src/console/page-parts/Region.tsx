import { type ReactNode, useEffect, useState } from 'react';
import { useText } from '../../text';
import styles from './Region.module.css';
import type { CallFailure } from '../problem';
import { TroubleBox } from './TroubleBox';

const SKELETON_AFTER_MS = 300;

type Of<Data> = Readonly<{
  /** What is in it, as a whole sentence's subject: "Limits". */
  name: string;
  query: Readonly<{ data?: Data | undefined; error?: unknown; isFetching: boolean; refetch: () => unknown }>;
  rows?: number;
  children: (data: Data) => ReactNode;
}>;

/** A part of a page with its states: waiting, here, being refreshed, and failed while the others go on. */
export function Region<Data>({ name, query: { data, error, isFetching, refetch }, rows = 3, children }: Of<Data>) {
  if (data !== undefined)
    return (
      <div aria-busy={isFetching} className={styles['region']}>
        {isFetching && <span className={styles['refreshing']} />}
        {error !== undefined && !isFetching && (
          <TroubleBox name={name} trouble={error as CallFailure} retry={refetch} />
        )}
        {children(data)}
      </div>
    );
  if (error !== undefined && !isFetching)
    return <TroubleBox name={name} trouble={error as CallFailure} retry={refetch} />;
  return <Skeleton name={name} rows={rows} />;
}

/** Shaped like what is to come, and not there at all when it comes soon. */
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
