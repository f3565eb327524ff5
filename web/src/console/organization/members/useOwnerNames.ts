import { useMemberPagesInfiniteQuery } from '../../api';
import { PRESENT } from '../../moment/page-moment';

/** The names of the present owners, whom a member can ask. */
export function useOwnerNames(id: string): readonly string[] {
  const { data } = useMemberPagesInfiniteQuery({ id, moment: PRESENT, q: '', role: 'owner', state: '', sort: '' });
  return (data?.pages ?? []).flatMap(({ members }) => members.flatMap(({ name }) => (name ? [name] : [])));
}
