import type { ValueChange } from '@charter/client';
import { useEntitlementsQuery } from '../api';
import { isPastMoment } from '../moment/page-moment';
import { usePageMoment } from '../moment/usePageMoment';
import type { ConsoleWords } from '../words';

/**
 * The maximum number of pages of changes that the browser reads to find a change before the page's moment. The service
 * sends the newest changes first, so all changes after the page's moment come first.
 */
export const CHANGE_PAGES = 5;

type IsShown = (change: ValueChange) => boolean;

/**
 * Returns a function that says whether a change had happened at the moment of the page. Charter must have recorded the
 * change by the moment of the page. If the page shows a moment in force, the change must also have been in force at
 * that moment. Undefined while the answer about the moment loads.
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

/** Says that the browser has read only changes after the page's moment. */
export const laterChanges = (count: number, { text, number }: Pick<ConsoleWords, 'number' | 'text'>): string =>
  text('why.later', { count, number: number(count) });
