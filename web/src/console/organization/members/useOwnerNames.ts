import { everyMember, useMemberPagesInfiniteQuery } from '../../api';
import { PRESENT } from '../../moment/page-moment';

/** The names of the current owners, whom a member can ask for help. */
export function useOwnerNames(id: string): readonly string[] {
  const { data } = useMemberPagesInfiniteQuery({ id, moment: PRESENT, ...everyMember, role: 'owner' });
  return (data?.pages ?? []).flatMap(({ members }) => members.flatMap(({ name }) => (name ? [name] : [])));
}
