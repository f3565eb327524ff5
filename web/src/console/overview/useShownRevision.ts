import { useEntitlementsQuery } from '../api';
import { isPastMoment } from '../moment/page-moment';
import { usePageMoment } from '../moment/usePageMoment';

/** The last revision that a page of the past shows; undefined on a page of the present. */
export function useShownRevision(id: string): number | undefined {
  const { moment } = usePageMoment();
  const isPast = isPastMoment(moment);
  const { currentData } = useEntitlementsQuery({ id, moment }, { skip: !isPast });
  return isPast ? currentData?.revision : undefined;
}
