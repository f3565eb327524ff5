import type { Standing } from '@charter/client';
import { useContext } from 'react';
import { useStandingQuery } from '../api';
import { isPastMoment } from '../moment/page-moment';
import { ScrubbedContext } from '../moment/scrubbing';
import { usePageMoment } from '../moment/usePageMoment';

/**
 * The changes that the service allows the person now, as `GET …/standing` lists them. While a page shows the past, the
 * person may change nothing on this page.
 */
export function useRights(id: string) {
  const { moment } = usePageMoment();
  const isScrubbing = useContext(ScrubbedContext) !== undefined;
  const { data } = useStandingQuery(id);
  const standing = isScrubbing || isPastMoment(moment) ? undefined : data;
  return {
    /** Whether the person may make at least one change. */
    mayChange: standing !== undefined && standing.may.length > 0,
    may: (command: Standing['may'][number]): boolean => standing?.may.includes(command) === true,
    /**
     * The roles that the person may give to a member. A person also cannot take away a role that is not in this list.
     */
    grants: standing?.grants ?? [],
  };
}
