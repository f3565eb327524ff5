import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Immutable } from '@charter/decider';
import type { Charter } from '@charter/application';
import { MemberRole } from '@charter/organization';
import { byText, isMatch, pageOf } from '@charter/organization-view';
import type { OrganizationCall } from '../../http/request-context';
import { type Gates, GATES } from '../../process/parts/gates';
import { STORES } from '../../process/parts/stores';
import type { MemberAnswer, MemberPage } from '../organization.answers';
import { QueryOrganization } from '../organization.handlers';
import type { QueryTime } from '../organization-reader';
import { memberEntries, type MemberEntry, withAccountNames } from './member-names';
import { membersCursor, type MembersSearch, type MemberSort, type MemberListState } from './members.requests';

/** The requested page and filters of the list. `q` is absent if the request lists the members without a search. */
type MembersWanted = Omit<MembersSearch, 'q'> & Readonly<{ q?: string }>;

/** The members of an organization with their names, filtered and ordered. */
export class ListMembers extends Query<Immutable<MemberPage>> {
  constructor(
    readonly id: string,
    readonly wanted: MembersWanted,
    readonly when: QueryTime,
    readonly call: OrganizationCall,
  ) {
    super();
  }
}

/**
 * A sorted or filtered page needs the names of all members. If the organization has more members than this number,
 * reading such a page needs a slot of the gate.
 */
const MANY_MEMBERS = 1_000;

@QueryHandler(ListMembers)
export class ListMembersHandler implements IQueryHandler<ListMembers> {
  private readonly runtime: Pick<Charter, 'database'> & Pick<Gates, 'gate'>;

  constructor(
    private readonly queries: QueryBus,
    @Inject(STORES) stores: Charter,
    @Inject(GATES) gates: Gates,
  ) {
    this.runtime = { ...stores, ...gates };
  }

  async execute({ id, wanted, when, call: { context, response } }: ListMembers) {
    const asker = { ...context, response };
    const { answer: all } = await this.queries.execute(new QueryOrganization(id, memberEntries, when, asker));
    const { role, q, state, sort, cursor, limit } = wanted;
    const entries = all.filter((entry) => role === undefined || entry.role === role);
    const named = (members: readonly MemberEntry[]) => withAccountNames(this.runtime, id, members);
    const page = <Entry extends MemberEntry>(members: readonly Entry[], order: Order<Entry>) =>
      pageOf(members.toSorted(order), { after: cursor && [cursor[1], cursor[2]], limit }, idOf);
    if (q === undefined && state === undefined && sort === '-since') {
      const { rows, next, inAll } = page(entries, orders[sort]);
      return { members: await named(rows), next: membersCursor(sort, next), inAll };
    }
    const members =
      entries.length > MANY_MEMBERS ? await this.runtime.gate(asker, () => named(entries)) : await named(entries);
    const found = members.filter(
      (member) =>
        (state === undefined || stateOf(member) === state) &&
        (q === undefined ||
          member.user === q.toLowerCase() ||
          isMatch(q, [member.name, member.username, member.email])),
    );
    const { rows, next, inAll } = page(found, orders[sort]);
    return { members: rows, next: membersCursor(sort, next), inAll };
  }
}

type Order<Entry> = (one: Entry, other: Entry) => number;
const idOf = ({ user }: MemberEntry) => user;
const byName = byText<MemberAnswer>(({ name, username, email }) => name || username || email, idOf);
const rankOf = ({ role }: MemberEntry) => MemberRole.options.indexOf(role);
const byAge: Order<MemberEntry> = (one, other) => other.since.event - one.since.event;
const orders = {
  name: byName,
  role: (one: MemberAnswer, other: MemberAnswer) => rankOf(one) - rankOf(other) || byName(one, other),
  '-since': byAge,
} satisfies Record<MemberSort, Order<MemberAnswer>>;

/** The state is `unknown` if this list does not contain the member's name and address. */
function stateOf({ erased, invited }: MemberAnswer): MemberListState {
  if (erased) return 'erased';
  if (invited === undefined) return 'unknown';
  return invited ? 'invited' : 'active';
}
