import { loadCatalogue } from '@charter/catalogue';
import { momentAt } from '@charter/decider';
import { uuidv5 } from '@charter/event-log';
import { lakesideLife } from './lakeside';
import { LIFE_DAYS } from './phases';
import type { LakesideIds } from './stage';

const catalogue = loadCatalogue();
const now = Date.parse('2026-11-21T10:00:00.000Z');
const idsOf = (store: string): LakesideIds => ({
  of: (...parts) => uuidv5(store, parts.join('/')),
  operator: uuidv5(store, 'operator'),
});
const ids = idsOf('c4a47e12-5b0f-4d5c-9d3e-0f6a1f2b7c90');
const life = lakesideLife(catalogue, ids, now);

describe('Life of the example organization with a long history', () => {
  it('is the same at each call on the same day', () => {
    expect(lakesideLife(catalogue, ids, now + 3_600_000)).toEqual(life);
  });

  it('has about 2,000 events of many kinds', () => {
    expect(Math.abs(life.at(-1)!.last - 2_000)).toBeLessThan(150);
    const counts = Map.groupBy(life, ({ command }) => command.type);
    const kinds = [...counts].map(([type, { length }]) => [type, length > 1] as const);
    expect(Object.fromEntries(kinds)).toMatchObject({
      FoundOrganization: false,
      LinkBillingAccount: false,
      AssignPlan: true,
      EndPlan: false,
      PurchaseAddOn: true,
      CancelAddOn: true,
      AssignServiceLevel: true,
      DisableProduct: false,
      EnableProduct: false,
      ChangeParallelUse: true,
      ConfigureLimits: true,
      OverrideHardLimits: true,
      RestoreHardLimits: false,
      AddMember: true,
      ChangeRole: true,
      RemoveMember: true,
      FlagProductUser: true,
      UnflagProductUser: true,
      AddSite: true,
      RenameSite: true,
      ChangeSiteFeatures: true,
      RemoveSite: true,
      AddQualityAssuranceDomain: true,
      RemoveQualityAssuranceDomain: true,
      AddWebAnalyticsDomain: true,
      RemoveWebAnalyticsDomain: true,
      ReportTraffic: true,
      RenameOrganization: true,
      ConfigureSingleSignOn: true,
      RemoveSingleSignOn: false,
    });
  });

  it.each([
    '2024-02-29T00:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
    '2026-12-31T23:59:59.999Z',
    '2031-06-30T12:00:00.000Z',
  ])('covers the three years before %s with commands in the order of their moments', (present) => {
    const commands = lakesideLife(catalogue, ids, Date.parse(present));
    const moments = commands.map(({ at }) => at);
    expect(moments.length).toBeGreaterThan(1_800);
    expect(moments).toEqual(moments.toSorted());
    expect(moments.at(-1)! < present).toBe(true);
    expect(moments[0]! < momentAt(Date.parse(present) - (LIFE_DAYS - 1) * 86_400_000)).toBe(true);
  });

  it('contains no personal data: only ids, hostnames, moments and a few texts', () => {
    const known = [
      ...[/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, /^(cus|sub|si|evt)_Lakeside[\w-]*$/, /^stripe$|^charter$/],
      ...[/^(https:\/\/)?(\w+\.)?\w+\.lakeside\.example( \(new\))?$/, /^\d{4}-\d\d(-\d\dT[\d:.]+Z)?$/],
      ...[/^Campaign \d+$/, /^Lakeside (Outfitters|Trading)$/, /^[a-z][A-Za-z]*$/],
    ];
    const texts = new Set<string>();
    JSON.stringify(
      life.map(({ command, actor, message }) => [command.data, actor.id, message]),
      (_, value: unknown) => {
        if (typeof value === 'string') texts.add(value);
        return value;
      },
    );
    const strange = [...texts].filter((text) => !known.some((form) => form.test(text)));
    expect(strange.toSorted()).toEqual([
      'summer campaign',
      'the teams move to the smaller plan',
      'until the new contract',
    ]);
  });

  it('contains other account ids in another store', () => {
    const other = lakesideLife(catalogue, idsOf('0f0b5d8e-6a53-4b0e-9d3a-6c1f2f2e7d41'), now);
    expect(other.map(({ command, at }) => [command.type, at])).toEqual(
      life.map(({ command, at }) => [command.type, at]),
    );
    const actors = (all: typeof life) =>
      new Set(all.flatMap(({ actor }) => (actor.kind === 'account' ? [actor.id] : [])));
    expect([...actors(other)].filter((id) => actors(life).has(id))).toEqual([]);
  });
});
