import type { ValueChange } from '@charter/client';
import { useEntitlementsQuery } from '../api';
import { isPastMoment } from '../moment/page-moment';
import { usePageMoment } from '../moment/usePageMoment';

type IsShown = (change: ValueChange) => boolean;

/**
 * Returns a function that says whether a change had happened at the moment of the page. The change must have been
 * recorded by then; if the page shows a moment in force, it must also have been in force then. Undefined while the
 * answer about the moment loads.
 */
export function useShownChanges(id: string): IsShown | undefined {
  const { moment } = usePageMoment();
  const isPast = isPastMoment(moment);
  const { currentData } = useEntitlementsQuery({ id, moment }, { skip: !isPast });
  if (!isPast) return () => true;
  if (!currentData) return undefined;
  const until = moment.valid === undefined ? Infinity : Date.parse(moment.valid);
  return ({ revision, at, effectiveAt = at }) => revision <= currentData.revision && Date.parse(effectiveAt) <= until;
}
