import { everyMember, useMemberPagesInfiniteQuery, useStandingQuery } from '../../api';
import { PRESENT } from '../../moment/page-moment';
import { useOtherNames } from '../history/wording/useOtherNames';
import type { MemberRow } from './member-rows';

type Named = Pick<MemberRow, 'id' | 'name' | 'state'>;

/**
 * Returns a function that finds the name of a member. The page requests the names that it shows. If the signed-in
 * person may not request names, the names come from the first page of the list of members.
 */
export function useMemberNames(id: string): (member: string) => Named {
  const { data: standing } = useStandingQuery(id);
  const mayAsk = standing?.reads.includes('names') !== false;
  const { others, want } = useOtherNames(id);
  const { data } = useMemberPagesInfiniteQuery({ id, moment: PRESENT, ...everyMember }, { skip: mayAsk });
  return (member) => {
    const listed = data?.pages[0]?.members.find(({ user }) => user === member);
    const known = others.get(member) ?? listed;
    if (!known) want(member);
    return { id: member, name: known?.name ?? null, state: known?.erased ? 'erased' : 'unknown' };
  };
}
