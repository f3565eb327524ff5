import { randomUUID } from 'node:crypto';
import { type Immutable, refuse } from '@charter/decider';
import { Refused, UnreadableStream } from '@charter/aggregates';
import type { ViewStore } from '@charter/database';
import { contentOf, EMPTY_LOG_POSITION, type EventLog, readSince, type StoredEvent } from '@charter/event-log';
import { readProjectionStatus } from '@charter/projections';
import {
  type MemberRole,
  type OrganizationDraft,
  organizationIdOf,
  organizationStreamPrefix,
} from '@charter/organization';
import { memberTag, organizationView } from '@charter/organization-view';
import type { OrganizationCommands } from '../organizations/organization-commands';
import type { Organizations } from '../organizations/organizations';
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
 * Returns all organizations of which this account is a member. Finds candidate organizations in the read model and in
 * the events after the read model's checkpoint. Then reads the stream of each candidate organization. The result is
 * complete even if the read model lags, has stopped or is missing.
 */
export async function accountMembershipsOf(
  stores: MembershipStores,
  account: string,
): Promise<readonly AccountMembership[]> {
  return (await foundMemberships(stores, account)).map(({ membership }) => membership);
}

/** Whether an account is a member of any organization, according to the organizations' streams. */
export const isMemberSomewhere = async (stores: MembershipStores, account: string): Promise<boolean> =>
  (await accountMembershipsOf(stores, account)).length > 0;

/**
 * `isUnreadable`: the organization's stream has an event that cannot be folded, so commands to this organization fail.
 */
type FoundMembership = Readonly<{ membership: AccountMembership; isUnreadable: boolean }>;

async function foundMemberships(stores: MembershipStores, account: string): Promise<readonly FoundMembership[]> {
  const found: FoundMembership[] = [];
  for (const stream of await candidates(stores, account)) {
    const { membership, isUnreadable } = await accountMembershipIn(stores, stream, account);
    if (membership) found.push({ membership, isUnreadable });
  }
  return found;
}

/** The number of organizations on one page of the read model. */
const PAGE = 100;

async function candidates({ log, view }: MembershipStores, account: string): Promise<ReadonlySet<string>> {
  // Reads the status before the list. An event that the read model handles between the two reads is in the list and in
  // the read of the log.
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
  for await (const event of readSince(log, isOfUse ? position : EMPTY_LOG_POSITION, [organizationStreamPrefix]))
    if (isMemberAdded(event, account)) streams.add(event.stream);
  return streams;
}

/** Whether the event makes the account a member. For an unreadable event, the answer is false. */
export const isMemberAdded = (event: StoredEvent, account: string): boolean =>
  event.type === 'MemberAdded' && (contentOf(event)?.data as { member?: unknown } | null)?.member === account;

/**
 * Returns the membership according to the organization's own stream. If the stream contains an unreadable event, only
 * the events before that event count.
 */
export async function accountMembershipIn(
  { organizations }: Pick<MembershipStores, 'organizations'>,
  stream: string,
  account: string,
): Promise<Readonly<{ membership: AccountMembership | undefined; isUnreadable: boolean }>> {
  const read = ({ state }: Readonly<{ state: Immutable<OrganizationDraft> }>): AccountMembership | undefined => {
    if (state.name === '' || !Object.hasOwn(state.members, account)) return undefined;
    const { role } = state.members[account]!;
    const isOnlyOwner =
      role === 'owner' && Object.values(state.members).filter((membership) => membership.role === role).length === 1;
    return { id: organizationIdOf(stream), name: state.name, role, closed: Boolean(state.closed), isOnlyOwner };
  };
  try {
    return { membership: await organizations.query(stream, read), isUnreadable: false };
  } catch (error) {
    if (!(error instanceof UnreadableStream)) throw error;
    const before = await organizations.stateAt(stream, { revision: error.revision - 1 });
    return { membership: before && read(before), isUnreadable: true };
  }
}

/**
 * Removes an account from every open organization before its erasure. If the last two owners of an organization leave
 * at the same time, the organization's stream refuses one of the two commands. A caller who may erase an account needs
 * no role in the account's organizations. Closed organizations keep the account's id, because they refuse changes and
 * need no owner. Organizations with an unreadable stream keep the id too, because commands to these organizations fail
 * until an operator acts.
 * @throws Refused `last-owner`, naming the organizations that would have no owner
 */
export async function leaveAllOrganizations(
  stores: MembershipStores,
  account: string,
  context: AuditContext,
  commands: OrganizationCommands,
): Promise<void> {
  const open = (await foundMemberships(stores, account))
    .filter(({ membership, isUnreadable }) => !membership.closed && !isUnreadable)
    .map(({ membership }) => membership);
  const alone = open.filter(({ isOnlyOwner }) => isOnlyOwner);
  if (alone.length > 0) throw lastOwner(alone);
  const ownersFirst = open.toSorted(
    (membership, other) => Number(other.role === 'owner') - Number(membership.role === 'owner'),
  );
  for (const membership of ownersFirst) await leave(commands, account, membership, context);
}

/**
 * Removes an account from its organizations when an erasure is repeated. The repetition is never refused. If the
 * account is an organization's only owner, the account's id stays, and an operator must name another owner. The id also
 * stays if the organization's stream is unreadable.
 * @returns the organizations in which the id stays
 */
export async function leaveWherePossible(
  stores: MembershipStores,
  account: string,
  context: AuditContext,
  commands: OrganizationCommands,
): Promise<readonly Pick<AccountMembership, 'id' | 'name'>[]> {
  const stays: Pick<AccountMembership, 'id' | 'name'>[] = [];
  for (const { membership, isUnreadable } of await foundMemberships(stores, account)) {
    if (membership.closed) continue;
    if (membership.isOnlyOwner || isUnreadable) stays.push(membership);
    else await leave(commands, account, membership, context);
  }
  return stays.map(({ id, name }) => ({ id, name }));
}

async function leave(
  commands: OrganizationCommands,
  member: string,
  { id, name }: Pick<AccountMembership, 'id' | 'name'>,
  auditContext: AuditContext,
) {
  const { actor, at, correlation } = auditContext;
  const context = {
    actor: { ...actor, powers: ['operator'] },
    ...{ at, correlation, causation: correlation, command: randomUUID() },
  };
  try {
    await commands.execute(id, { type: 'RemoveMember', data: { member } }, context);
  } catch (error) {
    const refused = error instanceof Refused ? String(error.refusal.refused) : undefined;
    if (refused === 'last-owner') throw lastOwner([{ id, name }]);
    // In the meantime, another process has removed the member or closed the organization.
    if (refused === 'no-such-member' || refused === 'organization-closed') return;
    throw error;
  }
}

const lastOwner = (alone: readonly Pick<AccountMembership, 'id' | 'name'>[]) =>
  new Refused(
    refuse(
      'last-owner',
      `The account is the only owner of ${alone.map(({ id, name }) => `${name} (${id})`).join(', ')}. ` +
        'Name another owner first, or close the organization.',
      {
        organizations: alone.map(({ id, name }) => ({ id, name })),
      },
    ),
  );
