import { type CommandType, permissions } from './commands';
import { commands, everyCommand } from './testing/every-command.testing';
import { actorRolesOf } from './permission';
import { ada, added, as, bob, closed, founded, given, operator, withKey } from './testing/organization.testing';
import { whoMay } from './testing/who-may.testing';

/** `decisions.md`, Who may do what, letter for letter: the rows that are about commands. */
const decided = `
| | member | admin | owner | auditor | operator | key scope |
|---|---|---|---|---|---|---|
| rename; members, sites, domains, product-user flags; parallel use | | ✓ | ✓ | | ✓ | \`organizations:write\` |
| give and take the role owner (removing an owner, too); single sign-on | | | ✓ | | ✓ | \`organizations:write\` |
| found, close, reopen; product, limits, override, traffic | | | | | ✓ | \`organizations:operate\` |
| plan, add-ons, service level, billing account; billing events, reconciliation | | | | | ✓ | \`billing:write\` |
`;

/** Which commands each row is about. Giving and taking the role owner is in the specs of members. */
const about: readonly (readonly CommandType[])[] = [
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
  cells.flatMap((cell, column) => (cell === '✓' ? [columns[column]!] : cell ? [cell.replaceAll('`', '')] : [])),
);
const commandOf = (type: CommandType) => commands.find((command) => command.type === type)!;

describe('who may do what', () => {
  it('every command is in one row of the table', () => {
    expect(about.flat().toSorted()).toEqual(Object.keys(permissions).toSorted());
  });

  describe.each(rows.map(([name], row) => [name!, row] as const))('%s', (_name, row) => {
    it.each(about[row]!)('%s', (type) => {
      const before = type === 'FoundOrganization' ? [] : [founded];
      expect(whoMay(commandOf(type), ...before)).toEqual(allowed[row]);
      expect([...permissions[type]].toSorted()).toEqual(allowed[row]!.toSorted());
    });
  });
});

describe('what strangers learn', () => {
  const asked = commands.filter(({ type }) => type !== 'FoundOrganization');

  it.each(asked)('of $type: nothing, whether there is an organization, or none, or a closed one', (command) => {
    for (const events of [[], [founded], [founded, closed], [founded, added(ada)]])
      expect(given(...events).when(command, as(bob))).toEqual(given().when(command, as(bob)));
    expect(given(founded).when(command, as(bob))).toMatchObject({ refused: 'no-such-organization', facts: {} });
  });

  it.each(asked)('of $type: also an operator finds nothing where nothing was founded', (command) => {
    expect(given().when(command)).toMatchObject({ refused: 'no-such-organization' });
  });

  it('says what it takes to those who are somebody here', () => {
    expect(given(founded, added(ada)).when(commandOf('RenameOrganization'), as(ada))).toMatchObject({
      refused: 'not-allowed',
      detail: 'This takes one of: admin, owner, operator, organizations:write.',
    });
  });
});

describe('the standing of someone', () => {
  const members = given(added(ada, 'owner')).state();

  it('is their role here and their powers', () => {
    expect(actorRolesOf(as(ada, 'auditor').actor, members)).toEqual(['auditor', 'owner']);
    expect(actorRolesOf(as(bob, 'auditor').actor, members)).toEqual(['auditor']);
    expect(actorRolesOf(operator, members)).toEqual(['operator']);
  });

  it.each(['key', 'billing', 'system'] as const)('has no role for a %s with the id of a member', (kind) => {
    expect(actorRolesOf({ kind, id: ada, powers: [] }, members)).toEqual([]);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('has no role for an account called %s', (id) => {
    expect(actorRolesOf(as(id).actor, members)).toEqual([]);
  });

  it('a key may do what its scopes say, one by one', () => {
    const rename = commandOf('RenameOrganization');
    expect(given(founded).when(rename, withKey())).toMatchObject({ refused: 'no-such-organization' });
    expect(given(founded).when(rename, withKey('audit:read', 'billing:write'))).toMatchObject({
      refused: 'not-allowed',
    });
    expect(given(founded).when(rename, withKey('audit:read', 'organizations:write'))).toEqual([]);
  });
});

describe('a closed organization', () => {
  const open: readonly CommandType[] = [
    'CloseOrganization',
    'ReopenOrganization',
    'RestoreHardLimits',
    'ReportTraffic',
  ];
  const facts: readonly CommandType[] = ['AssignPlan', 'EndPlan', 'PurchaseAddOn', 'ChangeQuantity', 'CancelAddOn'];
  const everyone = { kind: 'account', id: 'op', powers: ['operator'] } as const;
  const recordsWhenClosed = (type: CommandType, kind: 'account' | 'billing' | 'key' | 'system') => {
    const answer = given(founded, closed).when(commandOf(type), { actor: { ...everyone, kind } });
    return !('refused' in answer && answer.refused === 'organization-closed');
  };

  it('refuses every command but reopening and facts from outside', () => {
    const recorded = Object.keys(everyCommand) as CommandType[];
    expect(recorded.filter((type) => recordsWhenClosed(type, 'account'))).toEqual([
      'CloseOrganization',
      'ReopenOrganization',
      'RestoreHardLimits',
      'ReportTraffic',
    ]);
    for (const kind of ['key', 'system'] as const)
      expect(recorded.filter((type) => recordsWhenClosed(type, kind))).toHaveLength(open.length);
  });

  it('still records what billing says', () => {
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
