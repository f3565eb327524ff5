import type { Charter } from '@charter/application';
import { MemberRole, organizationStream } from '@charter/organization';
import { memberSince } from '@charter/organization-view';
import { Argument, type Command } from 'commander';
import type { ActionRunner } from '../terminal/action-runner';
import { organizationId } from '../terminal/argument-values';
import type { CommandAnswer } from '../terminal/command-answer';
import { table } from '../terminal/table';
import { executeOnOrganization } from './execute-on-organization';
import { introduceIfNamedByAddress, memberNamed } from './member-named';
import { refuseUnknownOrganization } from './unknown-organization';

type Role = (typeof MemberRole.options)[number];

export function addMembers(program: Command, { withStores }: ActionRunner): void {
  const members = program.command('members').description('the members of an organization');
  const word = (name: string, description: string) =>
    members.command(name).description(description).argument('<ID>', 'the organization', organizationId);
  const memberWord = (name: string, description: string) =>
    word(name, description).argument('<MEMBER>', 'the id, e-mail address or username of an account');
  const role = () => new Argument('<ROLE>', 'the role in the organization').choices(MemberRole.options);

  word('list', 'list the members with their roles, longest membership first').action((id: string) =>
    withStores((charter) => list(charter, id)),
  );
  memberWord('add', 'add an account as a member')
    .addArgument(role())
    .action((id: string, who: string, as: Role) => withStores((charter) => add(charter, id, who, as)));
  memberWord('role', 'change the role of a member')
    .addArgument(role())
    .action((id: string, who: string, as: Role) => withStores((charter) => changeRole(charter, id, who, as)));
  memberWord('remove', 'remove a member').action((id: string, who: string) =>
    withStores((charter) => remove(charter, id, who)),
  );
}

/** Reads the members from the stream, because the read model may lag. */
async function list({ organizations, database: { people } }: Charter, id: string): Promise<CommandAnswer> {
  const members = await organizations.query(organizationStream(id), ({ state }) =>
    state.name === ''
      ? refuseUnknownOrganization(id)
      : Object.entries(state.members)
          .map(([user, member]) => ({ user, role: member.role, ...memberSince(member) }))
          .toSorted((one, other) => one.since.event - other.since.event),
  );
  const accounts = new Map(
    (await people.accounts.byIds(members.map(({ user }) => user))).map((each) => [each.id, each]),
  );
  const rows = members.map(({ user, role, since }) => [accounts.get(user)?.email ?? '-', role, since.at, user]);
  return {
    text: rows.length > 0 ? table(['E-MAIL', 'ROLE', 'MEMBER SINCE', 'ID'], rows) : 'The organization has no members.',
    json: { members: members.map((member) => ({ ...member, email: accounts.get(member.user)?.email ?? null })) },
  };
}

async function add(charter: Charter, id: string, who: string, role: Role): Promise<CommandAnswer> {
  const named = await memberNamed(charter, who);
  const { member } = named;
  const answer = await executeOnOrganization(
    charter,
    id,
    { type: 'AddMember', data: { member, role } },
    {
      done: `${who} is a member with the role ${role}.`,
      unchanged: `${who} already is a member with the role ${role}.`,
    },
    member,
  );
  await introduceIfNamedByAddress(charter, id, named);
  return answer;
}

async function changeRole(charter: Charter, id: string, who: string, role: Role): Promise<CommandAnswer> {
  const { member } = await memberNamed(charter, who);
  return executeOnOrganization(
    charter,
    id,
    { type: 'ChangeRole', data: { member, role } },
    { done: `${who} has the role ${role}.`, unchanged: `${who} already has the role ${role}.` },
  );
}

async function remove(charter: Charter, id: string, who: string): Promise<CommandAnswer> {
  const { member } = await memberNamed(charter, who);
  const unchanged = `${who} is not a member.`;
  const command = { type: 'RemoveMember', data: { member } } as const;
  return executeOnOrganization(charter, id, command, { done: `${who} is no longer a member.`, unchanged });
}
