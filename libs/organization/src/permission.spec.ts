import { readFileSync } from 'node:fs';
import { type CommandType, permissions } from './commands';
import { permissionOf } from './decide';
import { commands, everyCommand } from './testing/every-command.testing';
import { actorRolesOf } from './permission';
import {
  ada,
  added,
  as,
  bob,
  catalogue,
  closed,
  founded,
  given,
  now,
  operator,
  withKey,
} from './testing/organization.testing';
import { whoMay } from './testing/who-may.testing';

/**
 * The rows about commands from the table in the section "Who may do what" of `decisions.md`. A test below compares
 * these rows with that table.
 */
const decided = `
| | member | admin | owner | auditor | operator | key scope |
|---|---|---|---|---|---|---|
| rename; members, sites, domains, product-user flags; parallel use | | ✓ | ✓ | | ✓ | \`organizations:write\` |
| give and remove the role owner, remove an owner; single sign-on | | | ✓ | | ✓ | \`organizations:write\` |
| verified e-mail domains | | | ✓ | | ✓ | none |
| found, close, reopen; product, limits, override, traffic | | | | | ✓ | \`organizations:operate\` |
| plan, add-ons, service level, billing account; billing events | | | | | ✓ | \`billing:write\` |
`;

/**
 * The commands of each row above, in the same order. The specs of member commands also check the permission to give or
 * take the owner role.
 */
const commandsOfRow: readonly (readonly CommandType[])[] = [
  [
    'RenameOrganization',
    'AddMember',
    'ChangeRole',
    'RemoveMember',
    'AddSite',
    'RenameSite',
    'ChangeSiteFeatures',
    'RemoveSite',
    'AddQualityAssuranceDomain',
    'RemoveQualityAssuranceDomain',
    'AddWebAnalyticsDomain',
    'RemoveWebAnalyticsDomain',
    'FlagProductUser',
    'UnflagProductUser',
    'ChangeParallelUse',
  ],
  ['ConfigureSingleSignOn', 'RemoveSingleSignOn'],
  ['ClaimEmailDomain', 'ProveEmailDomain', 'LoseEmailDomain', 'ReleaseEmailDomain', 'ChangeEmailDomainSettings'],
  [
    'FoundOrganization',
    'CloseOrganization',
    'ReopenOrganization',
    'EnableProduct',
    'DisableProduct',
    'ConfigureLimits',
    'OverrideHardLimits',
    'RestoreHardLimits',
    'ReportTraffic',
  ],
  [
    'AssignPlan',
    'EndPlan',
    'PurchaseAddOn',
    'ChangeQuantity',
    'CancelAddOn',
    'AssignServiceLevel',
    'LinkBillingAccount',
  ],
];

const [, ...columns] = cellsOf(decided.trim().split('\n')[0]!);
const rows = decided.trim().split('\n').slice(2).map(cellsOf);
const allowed = rows.map(([, ...cells]) =>
  cells.flatMap((cell, column) =>
    cell === '✓' ? [columns[column]!] : cell && cell !== 'none' ? [cell.replaceAll('`', '')] : [],
  ),
);
const commandOf = (type: CommandType) => commands.find((command) => command.type === type)!;

describe('Table of permissions', () => {
  it('contains only rows that the table in decisions.md also contains', () => {
    const oneSpace = (text: string) => text.replaceAll(/ +/g, ' ');
    const documented = oneSpace(readFileSync('docs/reference/decisions.md', 'utf8'));
    for (const row of decided.trim().split('\n').slice(2)) expect(documented).toContain(oneSpace(row));
  });
});

describe('Permission to execute a command', () => {
  it('is defined by exactly one row of the table', () => {
    expect(commandsOfRow.flat().toSorted()).toEqual(Object.keys(permissions).toSorted());
  });

  describe.each(rows.map(([name], row) => [name!, row] as const))('%s', (_name, row) => {
    it.each(commandsOfRow[row]!)('%s', (type) => {
      const before = type === 'FoundOrganization' ? [] : [founded];
      expect(whoMay(commandOf(type), ...before)).toEqual(allowed[row]);
      expect([...permissions[type]].toSorted()).toEqual(allowed[row]!.toSorted());
    });
  });
});

describe('The permission that a preview shows', () => {
  it('is `may: false` after an earlier command has removed the caller', () => {
    const team = given(founded, added(ada, 'owner'), added(bob, 'owner'));
    const permission = (state: ReturnType<typeof team.state>) =>
      permissionOf(commandOf('RenameOrganization'), state, { ...as(ada), at: now }, catalogue);
    expect(permission(team.state())).toMatchObject({ may: true });
    const after = given(founded, added(ada, 'owner'), added(bob, 'owner'), {
      ...{ type: 'MemberRemoved', data: { member: ada } },
    } as const);
    expect(permission(after.state())).toEqual({ may: false, takes: permissions.RenameOrganization });
  });
});

describe('Caller without a role in an organization', () => {
  const allButFounding = commands.filter(({ type }) => type !== 'FoundOrganization');

  it.each(allButFounding)('gets the same refusal for an open, closed or missing organization: $type', (command) => {
    for (const events of [[], [founded], [founded, closed], [founded, added(ada)]])
      expect(given(...events).when(command, as(bob))).toEqual(given().when(command, as(bob)));
    expect(given(founded).when(command, as(bob))).toMatchObject({ refused: 'no-such-organization', facts: {} });
  });

  it.each(allButFounding)(
    'gets the same refusal before the founding, also if the caller is an operator: $type',
    (command) => {
      expect(given().when(command)).toMatchObject({ refused: 'no-such-organization' });
    },
  );

  it('differs from a member without the right, whose refusal names the required roles', () => {
    expect(given(founded, added(ada)).when(commandOf('RenameOrganization'), as(ada))).toMatchObject({
      refused: 'not-allowed',
      detail: 'The caller needs one of these roles or scopes: admin, owner, operator, organizations:write.',
    });
  });
});

describe('Roles of an actor', () => {
  const members = given(added(ada, 'owner')).state();

  it("are the role in the organization and the actor's powers", () => {
    expect(actorRolesOf(as(ada, 'auditor').actor, members)).toEqual(['auditor', 'owner']);
    expect(actorRolesOf(as(bob, 'auditor').actor, members)).toEqual(['auditor']);
    expect(actorRolesOf(operator, members)).toEqual(['operator']);
  });

  it.each(['key', 'billing', 'system'] as const)(
    'contain no membership role for a %s with the id of a member',
    (kind) => {
      expect(actorRolesOf({ kind, id: ada, powers: [] }, members)).toEqual([]);
    },
  );

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'contain no membership role for an account with the id %s',
    (id) => {
      expect(actorRolesOf(as(id).actor, members)).toEqual([]);
    },
  );

  it('are the scopes of the key if the actor is an API key', () => {
    const rename = commandOf('RenameOrganization');
    expect(given(founded).when(rename, withKey())).toMatchObject({ refused: 'no-such-organization' });
    expect(given(founded).when(rename, withKey('audit:read', 'billing:write'))).toMatchObject({
      refused: 'not-allowed',
    });
    expect(given(founded).when(rename, withKey('audit:read', 'organizations:write'))).toEqual([]);
  });
});

describe('Closed organization', () => {
  const open: readonly CommandType[] = [
    'CloseOrganization',
    'ReopenOrganization',
    'RestoreHardLimits',
    'ReportTraffic',
    'LoseEmailDomain',
    'ReleaseEmailDomain',
  ];
  const facts: readonly CommandType[] = ['AssignPlan', 'EndPlan', 'PurchaseAddOn', 'ChangeQuantity', 'CancelAddOn'];
  const everyone = { kind: 'account', id: 'op', powers: ['operator'] } as const;
  const recordsWhenClosed = (type: CommandType, kind: 'account' | 'billing' | 'key' | 'system') => {
    const answer = given(founded, closed).when(commandOf(type), { actor: { ...everyone, kind } });
    return !('refused' in answer && answer.refused === 'organization-closed');
  };

  it('refuses every command of actors other than billing, except those that end something, and ReportTraffic', () => {
    const recorded = Object.keys(everyCommand) as CommandType[];
    expect(recorded.filter((type) => recordsWhenClosed(type, 'account'))).toEqual([
      'CloseOrganization',
      'ReopenOrganization',
      'RestoreHardLimits',
      'ReportTraffic',
      'LoseEmailDomain',
      'ReleaseEmailDomain',
    ]);
    for (const kind of ['key', 'system'] as const)
      expect(recorded.filter((type) => recordsWhenClosed(type, kind))).toHaveLength(open.length);
  });

  it('still accepts the commands of billing for plans and add-ons', () => {
    const recorded = (Object.keys(everyCommand) as CommandType[]).filter((type) => recordsWhenClosed(type, 'billing'));
    expect(recorded.toSorted()).toEqual([...open, ...facts].toSorted());
  });
});

function cellsOf(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
