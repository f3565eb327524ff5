import type { HistoryEvent } from '@charter/client';
import { useEffect, useState } from 'react';
import { useEventQuery } from '../../../api';
import { CopyButton } from '../../../page-parts/CopyButton';
import tagStyles from '../../../page-parts/Tag.module.css';
import { useWords } from '../../../words';
import { computedHash } from './computed-hash';

const NO_HASH = '0'.repeat(64);

/**
 * The hash of the event, whether this browser computes the same hash, and whether the event contains the hash of the
 * previous event.
 */
export function HashLine({ id, event }: Readonly<{ id: string; event: HistoryEvent }>) {
  const { text, number } = useWords();
  const { revision, metadata } = event;
  const { data: before } = useEventQuery({ id, revision: revision - 1 }, { skip: revision === 0 });
  const computed = useHash(event);
  if (!metadata) return null;
  const previous = revision === 0 ? NO_HASH : before?.events[0]?.metadata?.hash;
  const follows = previous === undefined ? undefined : previous === metadata.previousHash;
  const words = { revision: number(revision - 1) };
  return (
    <p>
      <code>{metadata.hash}</code> <CopyButton what={text('event-page.hash')} value={metadata.hash} />{' '}
      {computed === 'none' && text('event-page.hash.none')}
      {computed !== undefined && computed !== 'none' && (
        <Mark ok={computed === metadata.hash} yes={text('event-page.hash.same')} no={text('event-page.hash.other')} />
      )}{' '}
      {follows !== undefined && revision === 0 && (
        <Mark ok={follows} yes={text('event-page.first')} no={text('event-page.not-first')} />
      )}
      {follows !== undefined && revision > 0 && (
        <Mark ok={follows} yes={text('event-page.follows', words)} no={text('event-page.not-follows', words)} />
      )}
    </p>
  );
}

function Mark({ ok, yes, no }: Readonly<{ ok: boolean; yes: string; no: string }>) {
  return (
    <span className={tagStyles['tag']} data-state={ok ? 'on' : 'bad'} role={ok ? undefined : 'alert'}>
      {ok ? yes : no}
    </span>
  );
}

/**
 * The hash that the browser computes for the event; undefined until it is computed, `none` if this browser cannot
 * compute it.
 */
function useHash(event: HistoryEvent): string | undefined {
  const [hash, setHash] = useState<string>();
  useEffect(() => {
    let isShown = true;
    void computedHash(event)
      .catch(() => undefined)
      .then((computed) => {
        if (isShown) setHash(computed ?? 'none');
      });
    return () => {
      isShown = false;
    };
  }, [event]);
  return hash;
}
