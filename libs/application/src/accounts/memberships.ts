import { randomUUID } from 'node:crypto';
import { refuse } from '@charter/decider';
import { Refused } from '@charter/aggregates';
import type { ViewStore } from '@charter/database';
import { EMPTY_LOG_POSITION, type EventLog, readSince } from '@charter/event-log';
import { readProjectionStatus } from '@charter/projections';
import {
  type MemberRole,
  type OrganizationDraft,
  organizationIdOf,
  organizationStreamPrefix,
} from '@charter/organization';
import { memberTag, organizationView } from '@charter/organization-view';
import type { Organizations } from '../organizations/organizations';
import { organizationCommands } from '../organizations/organization-commands';
import type { AuditContext } from './audit-trail';

export type AccountMembership = Readonly<{
  id: string;
  name: string;
  role: MemberRole;
  closed: boolean;
  isOnlyOwner: boolean;
}>;
export type MembershipStores = Readonly<{
  log: EventLog;
  view: ViewStore<OrganizationDraft>;
  organizations: Organizations;
}>;

/**
 * Every organization that somebody belongs to. The read model names the candidates, and what it has not seen yet is read
 * from the log; their streams decide. So it is true also while the read model trails, stands still or is not there.
 */
export async function accountMembershipsOf(
  looking: MembershipStores,
  account: string,
): Promise<readonly AccountMembership[]> {
  const found: AccountMembership[] = [];
  for (const stream of await candidates(looking, account)) {
    const one = await belonging(looking, stream, account);
    if (one) found.push(one);
  }
  return found;
}

/** So many organizations are asked of the read model at once. */
const PAGE = 100;

async function candidates({ log, view }: MembershipStores, account: string): Promise<ReadonlySet<string>> {
  // Where the read model stands comes first: what it learns meanwhile is then read twice, and nothing is missed.
  const { edition, position, rebuildNeeded, parked } = await readProjectionStatus(log, view, organizationView);
  const isOfUse = edition !== undefined && rebuildNeeded === undefined;
  const streams = new Set<string>(isOfUse ? parked.map(({ stream }) => stream) : []);
  if (isOfUse) {
    let page = await view.list({ tags: [memberTag(account)], limit: PAGE });
    for (;;) {
      for (const { stream } of page.rows) streams.add(stream);
      if (!page.next) break;
      page = await view.list({ tags: [memberTag(account)], limit: PAGE, after: page.next });
    }
  }
  for await (const { stream, type, data } of readSince(log, isOfUse ? position : EMPTY_LOG_POSITION, [
    organizationStreamPrefix,
  ]))
    if (type === 'MemberAdded' && (data as { member: string }).member === account) streams.add(stream);
  return streams;
}

const belonging = ({ organizations }: Pick<MembershipStores, 'organizations'>, stream: string, account: string) =>
  organizations.query(stream, ({ state }): AccountMembership | undefined => {
    if (state.name === '' || !Object.hasOwn(state.members, account)) return undefined;
    const { role } = state.members[account]!;
    const isOnlyOwner =
      role === 'owner' && Object.values(state.members).filter((one) => one.role === role).length === 1;
    return { id: organizationIdOf(stream), name: state.name, role, closed: Boolean(state.closed), isOnlyOwner };
  });

/** What was written because somebody left. */
export type OnLeft = (organization: string, revision: number) => void;

/**
 * Takes somebody out of every organization that is open, before they are erased. Each stream decides for itself, so of two
 * owners who go at once one stays. Whoever may erase an account may do this, whatever their role there is. A closed
 * organization refuses every change, and needs no owner: there the id stays, and nobody knows whose it was.
 * @throws Refused `last-owner`, with the organizations that would be without an owner
 */
export async function leaveAllOrganizations(
  looking: MembershipStores,
  account: string,
  by: AuditContext,
  left: OnLeft,
): Promise<void> {
  const open = (await accountMembershipsOf(looking, account)).filter(({ closed }) => !closed);
  const alone = open.filter(({ isOnlyOwner }) => isOnlyOwner);
  if (alone.length > 0) throw lastOwner(alone);
  const ownersFirst = open.toSorted((one, other) => Number(other.role === 'owner') - Number(one.role === 'owner'));
  for (const one of ownersFirst) await leave(looking, account, one, by, left);
}

/**
 * The same for whoever is erased in any case, because it happened already and has to be done again: where they are the only
 * owner their id stays, and an operator names another one. @returns those organizations
 */
export async function leaveWherePossible(
  looking: MembershipStores,
  account: string,
  by: AuditContext,
): Promise<readonly Pick<AccountMembership, 'id' | 'name'>[]> {
  const stays: Pick<AccountMembership, 'id' | 'name'>[] = [];
  for (const { closed, ...one } of await accountMembershipsOf(looking, account)) {
    if (closed) continue;
    if (one.isOnlyOwner) stays.push(one);
    else await leave(looking, account, { ...one, closed }, by, () => undefined);
  }
  return stays.map(({ id, name }) => ({ id, name }));
}

async function leave(
  { organizations }: MembershipStores,
  member: string,
  { id, name }: AccountMembership,
  by: AuditContext,
  left: OnLeft,
) {
  const { actor, at, correlation } = by;
  const envelope = {
    actor: { ...actor, powers: ['operator'] },
    ...{ at, correlation, causation: correlation, command: randomUUID() },
  };
  try {
    const command = { type: 'RemoveMember', data: { member } } as const;
    const { revision } = await organizationCommands(organizations, { after: [] }).execute(id, command, envelope);
    left(id, revision);
  } catch (error) {
    const refused = error instanceof Refused ? String(error.refusal.refused) : undefined;
    if (refused === 'last-owner') throw lastOwner([{ id, name }]);
    if (refused === 'no-such-member' || refused === 'organization-closed') return; // somebody else was faster
    throw error;
  }
}

const lastOwner = (alone: readonly Pick<AccountMembership, 'id' | 'name'>[]) =>
  new Refused(
    refuse('last-owner', 'The account is the only owner of an organization. Name another owner first, or close it.', {
      organizations: alone.map(({ id, name }) => ({ id, name })),
    }),
  );
