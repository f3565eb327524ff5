import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { momentIn, type PageMoment, PRESENT, withMoment } from './page-moment';

/** The moment in the address of the page. Choosing another moment adds to the browser's history; typing replaces. */
export function usePageMoment() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const address = useMemo(() => new URLSearchParams(search), [search]);
  const moment = useMemo(() => momentIn(address), [address]);
  const show = useCallback(
    (next: PageMoment, { replace = false } = {}) =>
      void navigate({ pathname, search: withMoment(address, next).toString() }, { replace }),
    [address, navigate, pathname],
  );
  return { moment: moment ?? PRESENT, isUnreadable: moment === undefined, evidence: address.get('head'), show };
}
