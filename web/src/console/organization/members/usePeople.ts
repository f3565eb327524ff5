import { useMembersQuery } from '../../api';
import { PRESENT } from '../../moment/page-moment';
import { usePageMoment } from '../../moment/usePageMoment';

/**
 * The accounts of the members at the page's moment, with their names of today. On a page of the past also the accounts
 * of the present members, because the page compares both.
 */
export function usePeople(id: string, past: boolean) {
  const { moment } = usePageMoment();
  const shown = useMembersQuery({ id, moment });
  const present = useMembersQuery({ id, moment: PRESENT }, { skip: !past });
  return {
    members: [...(shown.data?.members ?? []), ...(present.data?.members ?? [])],
    isLoading: shown.isLoading || present.isLoading,
    failed: shown.isError || present.isError,
    isComplete: shown.data?.isComplete !== false && present.data?.isComplete !== false,
    refetch: () => Promise.all([shown.refetch(), ...(past ? [present.refetch()] : [])]),
  };
}
