import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { Refused } from '@charter/aggregates';
import { uuidv5 } from '@charter/event-log';
import { project, verifyView } from '@charter/projections';
import type { OrganizationCommand } from '@charter/organization';
import { organizationStream } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { newFolder } from '../../support/serving';

const actor = { kind: 'system', id: 'spec', powers: ['operator'] } as const;
const people = Array.from({ length: 4 }, () => randomUUID());
const things = Array.from({ length: 3 }, () => randomUUID());
const day = (count: number) => new Date(Date.UTC(2026, 0, 1 + count)).toISOString();

const member = fc.constantFrom(...people);
const role = fc.constantFrom('owner' as const, 'admin' as const, 'member' as const);
const thing = fc.constantFrom(...things);
const hostname = fc.constantFrom('a.example', 'b.example', 'xn--mnchen-3ya.de');
const purchase = fc.constantFrom('p1', 'p2');
const addOn = fc.constantFrom('additionalUser', 'qualityAssurance', 'webAnalytics', 'feedback');
const line = fc.constantFrom('first' as const, 'second' as const);
const plan = fc.constantFrom('essential', 'professional', 'enterprise', 'solo', 'teams', 'light');
const effectiveAt = fc.option(fc.nat({ max: 60 }).map(day), { nil: undefined });
const subscription = fc.option(fc.constantFrom('s1', 's2'), { nil: undefined });
const commandOf = (type: OrganizationCommand['type'], data: object = {}): fc.Arbitrary<OrganizationCommand> =>
  fc
    .record(data as Record<string, fc.Arbitrary<unknown>>)
    // removes fields that are undefined
    .map((fields) => ({ type, data: JSON.parse(JSON.stringify(fields)) as object }) as OrganizationCommand);

const command = fc.oneof(
  commandOf('RenameOrganization', { name: fc.constantFrom('Acme', 'Acme Ltd', 'Öl & Söhne') }),
  commandOf('AssignPlan', { line, plan, effectiveAt, subscription }),
  commandOf('EndPlan', { line, effectiveAt, subscription }),
  commandOf('PurchaseAddOn', { purchase, addOn, quantity: fc.integer({ min: 1, max: 5 }), effectiveAt }),
  commandOf('ChangeQuantity', { purchase, quantity: fc.integer({ min: 1, max: 9 }) }),
  commandOf('CancelAddOn', { purchase, effectiveAt }),
  commandOf('AssignServiceLevel', { serviceLevel: fc.constantFrom('none', 'assisted', 'turnkey') }),
  commandOf('EnableProduct'),
  commandOf('DisableProduct'),
  commandOf('ChangeParallelUse', { parallelUse: fc.constantFrom(true, false, null) }),
  commandOf('ConfigureLimits', {
    users: fc.option(fc.nat({ max: 6 })),
    contentSections: fc.option(fc.nat({ max: 4 })),
  }),
  commandOf('OverrideHardLimits', {
    reason: fc.constant('a favour'),
    until: fc.option(fc.nat({ max: 90 }).map(day), { nil: undefined }),
  }),
  commandOf('RestoreHardLimits', { reason: fc.constant('enough') }),
  commandOf('AddMember', { member, role }),
  commandOf('ChangeRole', { member, role }),
  commandOf('RemoveMember', { member }),
  commandOf('FlagProductUser', { member }),
  commandOf('AddSite', { site: thing, hostname }),
  commandOf('ChangeSiteFeatures', { site: thing, features: fc.constantFrom({ logo: true }, { logo: null }) }),
  commandOf('RemoveSite', { site: thing }),
  commandOf('AddQualityAssuranceDomain', { domain: thing, hostname }),
  commandOf('RemoveQualityAssuranceDomain', { domain: thing }),
  commandOf('AddWebAnalyticsDomain', { domain: thing, hostname }),
  commandOf('ReportTraffic', { month: fc.constantFrom('2026-01', '2026-02'), views: fc.nat({ max: 200_000 }) }),
  commandOf('CloseOrganization', { reason: fc.constant('moved') }),
  commandOf('ReopenOrganization', { reason: fc.constant('back') }),
);
const step = fc.record({ organization: fc.nat({ max: 4 }), command, pause: fc.nat({ max: 2 }) });

describe('O1: Live read model', () => {
  it('equals a replay of the events after random concurrent commands to several organizations', async () => {
    const folder = newFolder();
    const charter = await openCharter(parseSettings({ CHARTER_DATA: folder, CHARTER_DEMO: 'off' }), 'server');
    const projection = project(charter.log, charter.view, organizationView, { alarm: fail });
    const counted = { accepted: 0, refused: 0 };

    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 60, maxLength: 60 }),
        fc.uuid({ version: 4 }),
        async (steps, seed) => {
          const ids = Array.from({ length: 5 }, (_, index) => uuidv5(seed, String(index)));
          let at = 0;
          const execute = async (id: string, wanted: OrganizationCommand) => {
            const name = randomUUID();
            const by = { actor, at: day(at), command: name, correlation: name, causation: name };
            try {
              const { events } = await charter.organizations.execute(organizationStream(id), wanted, by);
              counted.accepted += events.length;
            } catch (error) {
              if (!(error instanceof Refused)) throw error;
              counted.refused += 1;
            }
          };
          await Promise.all(ids.map((id) => execute(id, { type: 'FoundOrganization', data: { name: 'Acme' } })));
          const executions = steps.map(({ organization, command: wanted, pause }) => {
            at += pause;
            return execute(ids[organization]!, wanted);
          });
          await Promise.all(executions);
        },
      ),
      { numRuns: 100, endOnFailure: true, ...(process.env['SEED'] && { seed: Number(process.env['SEED']) }) },
    );

    await projection.whenProcessed(await charter.log.head(), { timeout: 10_000 });
    const verified = await verifyView(charter.log, (await charter.view.live())!, organizationView);
    expect(verified).toMatchObject({ ok: true, documents: 500, different: 0, differences: [] });
    expect(verified.hash).toBe(verified.replayHash);
    expect(counted.accepted).toBeGreaterThan(1_000);
    expect(counted.refused).toBeGreaterThan(500);
    await projection.stop();
    await charter.close();
    rmSync(folder, { recursive: true });
  });
});

const fail = ({ why }: { why: unknown }) => {
  throw new Error(`A stream was parked: ${String(why)}`);
};
