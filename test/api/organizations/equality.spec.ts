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
const late = fc.option(fc.nat({ max: 60 }).map(day), { nil: undefined });
const subscription = fc.option(fc.constantFrom('s1', 's2'), { nil: undefined });
const said = (type: OrganizationCommand['type'], data: object = {}): fc.Arbitrary<OrganizationCommand> =>
  fc
    .record(data as Record<string, fc.Arbitrary<unknown>>)
    .map((fields) => ({ type, data: JSON.parse(JSON.stringify(fields)) as object }) as OrganizationCommand); // absent, not undefined

const command = fc.oneof(
  said('RenameOrganization', { name: fc.constantFrom('Acme', 'Acme Ltd', 'Öl & Söhne') }),
  said('AssignPlan', { line, plan, effectiveAt: late, subscription }),
  said('EndPlan', { line, effectiveAt: late, subscription }),
  said('PurchaseAddOn', { purchase, addOn, quantity: fc.integer({ min: 1, max: 5 }), effectiveAt: late }),
  said('ChangeQuantity', { purchase, quantity: fc.integer({ min: 1, max: 9 }) }),
  said('CancelAddOn', { purchase, effectiveAt: late }),
  said('AssignServiceLevel', { serviceLevel: fc.constantFrom('none', 'assisted', 'turnkey') }),
  said('EnableProduct'),
  said('DisableProduct'),
  said('ChangeParallelUse', { parallelUse: fc.constantFrom(true, false, null) }),
  said('ConfigureLimits', { users: fc.option(fc.nat({ max: 6 })), contentSections: fc.option(fc.nat({ max: 4 })) }),
  said('OverrideHardLimits', {
    reason: fc.constant('a favour'),
    until: fc.option(fc.nat({ max: 90 }).map(day), { nil: undefined }),
  }),
  said('RestoreHardLimits', { reason: fc.constant('enough') }),
  said('AddMember', { member, role }),
  said('ChangeRole', { member, role }),
  said('RemoveMember', { member }),
  said('FlagProductUser', { member }),
  said('AddSite', { site: thing, hostname }),
  said('ChangeSiteFeatures', { site: thing, features: fc.constantFrom({ logo: true }, { logo: null }) }),
  said('RemoveSite', { site: thing }),
  said('AddQualityAssuranceDomain', { domain: thing, hostname }),
  said('RemoveQualityAssuranceDomain', { domain: thing }),
  said('AddWebAnalyticsDomain', { domain: thing, hostname }),
  said('ReportTraffic', { month: fc.constantFrom('2026-01', '2026-02'), views: fc.nat({ max: 200_000 }) }),
  said('CloseOrganization', { reason: fc.constant('moved') }),
  said('ReopenOrganization', { reason: fc.constant('back') }),
);
const told = fc.record({ organization: fc.nat({ max: 4 }), command, pause: fc.nat({ max: 2 }) });

describe('O1: the live read model', () => {
  it('is what a replay gives, after any commands to several organizations at once', async () => {
    const folder = newFolder();
    const charter = await openCharter(parseSettings({ CHARTER_DATA: folder, CHARTER_DEMO: 'off' }), 'server');
    const projection = project(charter.log, charter.view, organizationView, { alarm: fail });
    const counted = { accepted: 0, refused: 0 };

    await fc.assert(
      fc.asyncProperty(
        fc.array(told, { minLength: 60, maxLength: 60 }),
        fc.uuid({ version: 4 }),
        async (steps, seed) => {
          const ids = Array.from({ length: 5 }, (_, index) => uuidv5(seed, String(index)));
          let at = 0;
          const tell = async (id: string, asked: OrganizationCommand) => {
            const name = randomUUID();
            const by = { actor, at: day(at), command: name, correlation: name, causation: name };
            try {
              const { events } = await charter.organizations.execute(organizationStream(id), asked, by);
              counted.accepted += events.length;
            } catch (error) {
              if (!(error instanceof Refused)) throw error;
              counted.refused += 1;
            }
          };
          await Promise.all(ids.map((id) => tell(id, { type: 'FoundOrganization', data: { name: 'Acme' } })));
          const telling = steps.map(({ organization, command: asked, pause }) => {
            at += pause;
            return tell(ids[organization]!, asked);
          });
          await Promise.all(telling);
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
