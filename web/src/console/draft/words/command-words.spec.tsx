import { screen } from '@testing-library/react';
import { NORTHWIND } from '../../../../../test/journeys/pages/samples';
import { ADA, BEN } from '../../../../../test/journeys/pages/samples/lists';
import type { DraftCommand, KnownCommand } from '../address/draft-address';
import { renderConsole } from '../../open.testing';
import { commandInWords } from './command-words';
import { useDraftWords } from './useDraftWords';

type CommandName = KnownCommand['type'];
type DataOf<Type extends CommandName> = Required<NonNullable<Extract<KnownCommand, Readonly<{ type: Type }>>['data']>>;

const [now, past] = ['2026-11-02T10:00:00.000Z', '2020-01-01T00:00:00.000Z'];
const ownTerms = (users: number) => ({ limits: { users }, features: [] });
const planTerms = (users: number) => ({
  ...{ limits: { users }, hardLimits: {}, soldOnlyByAddOn: [], trafficPerMonth: 1, features: [] },
  siteDefaults: { features: {}, report: { weekly: true, monthly: true }, live: true },
  organizationDefaults: { features: { multiSite: true } },
  customSetDefaults: { features: { logo: true, integrations: true } },
});
const sale = { effectiveAt: now, subscription: 'sub_1' };
const otherSale = { effectiveAt: past, subscription: 'sub_2' };

/**
 * For each type of command: the data of two commands with all fields. The two commands of a type have different
 * values in each field.
 */
const pairs: { readonly [Type in CommandName]: readonly [DataOf<Type>, DataOf<Type>] } = {
  RenameOrganization: [{ name: 'Acme' }, { name: 'Globex' }],
  CloseOrganization: [{ reason: 'moved' }, { reason: 'merged' }],
  ReopenOrganization: [{ reason: 'moved' }, { reason: 'merged' }],
  AssignPlan: [
    { line: 'second', plan: 'solo', terms: planTerms(1), ...sale },
    { line: 'first', plan: 'teams', terms: planTerms(2), ...otherSale },
  ],
  EndPlan: [
    { line: 'second', ...sale },
    { line: 'first', ...otherSale },
  ],
  PurchaseAddOn: [
    { addOn: 'feedback', quantity: 1, purchase: 'p-1', grants: ownTerms(1), ...sale },
    { addOn: 'webAnalytics', quantity: 2, purchase: 'p-2', grants: ownTerms(2), ...otherSale },
  ],
  ChangeQuantity: [
    { purchase: 'p-1', quantity: 1 },
    { purchase: 'p-2', quantity: 2 },
  ],
  CancelAddOn: [
    { purchase: 'p-1', ...sale },
    { purchase: 'p-2', ...otherSale },
  ],
  AssignServiceLevel: [{ serviceLevel: 'none' }, { serviceLevel: 'assisted' }],
  EnableProduct: [{}, {}],
  DisableProduct: [{}, {}],
  ChangeParallelUse: [{ parallelUse: true }, { parallelUse: null }],
  ConfigureLimits: [
    { users: 1, contentSections: 1, qualityAssuranceDomains: 1 },
    { users: 2, contentSections: null, qualityAssuranceDomains: 0 },
  ],
  OverrideHardLimits: [
    { reason: 'moved', until: now },
    { reason: 'merged', until: past },
  ],
  RestoreHardLimits: [{ reason: 'moved' }, { reason: 'merged' }],
  AddMember: [
    { member: BEN, role: 'owner' },
    { member: ADA, role: 'member' },
  ],
  ChangeRole: [
    { member: BEN, role: 'owner' },
    { member: ADA, role: 'member' },
  ],
  RemoveMember: [{ member: BEN }, { member: ADA }],
  FlagProductUser: [{ member: BEN }, { member: ADA }],
  UnflagProductUser: [{ member: BEN }, { member: ADA }],
  AddSite: [
    { hostname: 'a.test', name: 'A', site: 'site-1' },
    { hostname: 'b.test', name: 'B', site: 'site-2' },
  ],
  RenameSite: [
    { site: 'site-1', name: 'A' },
    { site: 'site-2', name: 'B' },
  ],
  ChangeSiteFeatures: [
    { site: 'site-1', features: { logo: true } },
    { site: 'site-2', features: { logo: null } },
  ],
  RemoveSite: [{ site: 'site-1' }, { site: 'site-2' }],
  AddQualityAssuranceDomain: [
    { hostname: 'a.test', domain: 'domain-1' },
    { hostname: 'b.test', domain: 'domain-2' },
  ],
  RemoveQualityAssuranceDomain: [{ domain: 'domain-1' }, { domain: 'domain-2' }],
  AddWebAnalyticsDomain: [
    { hostname: 'a.test', domain: 'domain-1' },
    { hostname: 'b.test', domain: 'domain-2' },
  ],
  RemoveWebAnalyticsDomain: [{ domain: 'domain-1' }, { domain: 'domain-2' }],
  ReportTraffic: [
    { month: '2026-10', views: 1 },
    { month: '2026-11', views: 2 },
  ],
};

/** The words in which the page shows each command. */
async function inWords(commands: readonly DraftCommand[]): Promise<readonly string[]> {
  function Lines() {
    const words = useDraftWords(NORTHWIND);
    return commands.map((command, index) => <p key={index}>{commandInWords(command, words)}</p>);
  }
  await renderConsole(<Lines />);
  return screen.getAllByRole('paragraph').map(({ textContent }) => textContent.replaceAll(/[\u2068\u2069]/g, ''));
}

describe('The words of a command', () => {
  it("change if one of the command's fields changes", async () => {
    const changes = Object.entries(pairs).flatMap(([type, [data, other]]) =>
      Object.entries(other).map(([field, value]) => ({
        type,
        field,
        data,
        other: { ...data, [field]: value as unknown },
      })),
    );
    const before = await inWords(changes.map(({ type, data }) => ({ type, data: { ...data } })));
    document.body.replaceChildren();
    const after = await inWords(changes.map(({ type, other }) => ({ type, data: other })));
    const silent = changes.filter((_, index) => before[index] === after[index]);
    expect(silent.map(({ type, field }) => `${type} ${field}`)).toEqual([]);
  });

  it('name each value of the terms in a draft', async () => {
    expect(
      await inWords([
        { type: 'AssignPlan', data: { line: 'second', plan: 'solo', terms: planTerms(5) } },
        {
          type: 'PurchaseAddOn',
          data: { addOn: 'feedback', grants: { limits: {}, features: ['webAnalytics', 'teleport'] } },
        },
        { type: 'EnableProduct', data: { colours: [{ shade: null }, true] } },
      ]),
    ).toEqual([
      expect.stringMatching(
        /\(terms: limits \(Users: 5\), hard limits: none, sold only by add-on: none, page views a month: 1, features: none, new sites \(features: none, reports \(weekly: On and monthly: On\), and live: On\), the organization \(features \(Multi-site: On\)\), and custom sets \(features \(Logo: On and .*: On\)\)\)$/,
      ),
      expect.stringMatching(/\(grants: limits: none and features \(Web analytics and teleport\)\)$/),
      'Switch the product on (with colours shade: none and On)',
    ]);
  });

  it('end at a value that is nested too deeply', async () => {
    const nested = JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`) as unknown;
    expect(await inWords([{ type: 'EnableProduct', data: { colours: nested } }])).toEqual([
      'Switch the product on (with colours …)',
    ]);
  });

  it('say from when the command is in force, for which subscription, and under which name', async () => {
    expect(
      await inWords([
        { type: 'EndPlan', data: { line: 'first', effectiveAt: past, subscription: 'sub_1' } },
        { type: 'AddSite', data: { hostname: 'a.test', name: 'Shop' } },
        { type: 'EnableProduct', data: { colour: 'teal' } },
      ]),
    ).toEqual([
      expect.stringMatching(/^End the plan of the first line \(in force from .*2020.* and subscription sub_1\)$/),
      'Add the site a.test (with the name Shop)',
      'Switch the product on (with colour teal)',
    ]);
  });
});
