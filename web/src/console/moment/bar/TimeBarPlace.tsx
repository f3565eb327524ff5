import type { I18n } from '@lingui/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useEntitlementsQuery, useStandingQuery } from '../../api';
import { loadWords } from '../../organization/later-words';
import { useConsoleConfig } from '../../page-config-context';
import { PRESENT } from '../page-moment';
import type { Scrubbed } from '../scrubbing';
import type TimeBar from './TimeBar';

let loaded: typeof TimeBar | undefined;

/** Loads the code and the words of the time bar. @throws if the browser cannot fetch them */
export async function loadTimeBar(i18n: I18n): Promise<void> {
  const [{ default: part }] = await Promise.all([import('./TimeBar'), loadWords(i18n, 'bar').promise]);
  loaded = part;
}

type PlaceOf = Readonly<{
  id: string;
  onScrub: (answers: Scrubbed) => void;
  /** An element as high as the bar. The page shows it until the bar can appear, and so does not move. */
  waiting?: ReactNode;
}>;

/**
 * The place of the bar that moves a page of an organization to another moment. Members without the right to audit see
 * no bar, and their page does not wait for it.
 */
export function TimeBarPlace({ id, onScrub, waiting = null }: PlaceOf) {
  // While the browser repeats a failed request, its `error` stays, unlike `isError`. So the page does not wait again.
  const { data: standing, error: standingError } = useStandingQuery(id);
  const { data: present, error: presentError } = useEntitlementsQuery({ id, moment: PRESENT });
  const LoadedBar = useTimeBar();
  if (standing ? !standing.reads.includes('history') : standingError) return null;
  if (!present && presentError) return null;
  return LoadedBar && standing && present ? <LoadedBar id={id} head={present.revision} onScrub={onScrub} /> : waiting;
}

/**
 * The component of the time bar; undefined while its code and its words load. This hook does not use Suspense, because
 * the whole page waits for the time bar. React delays a part in Suspense if it has shown another part within 300 ms.
 */
function useTimeBar(): typeof TimeBar | undefined {
  const { i18n } = useConsoleConfig();
  const [isLoaded, setLoaded] = useState(loaded !== undefined);
  const [failure, setFailure] = useState<Readonly<{ error: unknown }>>();
  useEffect(() => {
    if (isLoaded) return;
    loadTimeBar(i18n).then(
      () => setLoaded(true),
      (error: unknown) => setFailure({ error }),
    );
  }, [i18n, isLoaded]);
  if (failure) throw failure.error; // the nearest boundary shows the failure
  return loaded;
}
