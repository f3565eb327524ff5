import { loadCatalogue } from '@charter/catalogue';
import { type Actor, givenFor, isRefusal } from '@charter/decider';
import {
  entitlementsOf,
  Feature,
  type ProductLine,
  type OrganizationCommand,
  organizationDecider,
  type OrganizationEvent,
  type Resource,
  trafficAllowance,
} from '@charter/organization';
import { specified } from '../libs/catalogue/src/plan-table.testing';

const [header, , ...rows] = specified.trim().split('\n').map(cellsOf);
const cells = rows.flatMap(([plan, ...amounts]) =>
  amounts.map((cell, index) => [plan!, header![index + 1]!, cell] as const),
);

const plans: Readonly<Record<string, readonly [ProductLine, string]>> = {
  essential: ['first', 'essential'],
  professional: ['first', 'professional'],
  'enterprise (first line)': ['first', 'enterprise'],
  solo: ['second', 'solo'],
  teams: ['second', 'teams'],
  'enterprise (second line)': ['second', 'enterprise'],
  light: ['second', 'light'],
};
const hardLimits: Readonly<Record<string, { readonly [resource in Resource]?: number }>> = {
  'not shown': {},
  none: {},
  '1 content section, 2 users': { contentSections: 1, users: 2 },
  '10 users': { users: 10 },
  'as solo': { contentSections: 1, users: 2 },
};

const now = '2026-11-01T00:00:00.000Z';
const operator: Actor = { kind: 'account', id: 'op', powers: ['operator'] };
const given = givenFor(organizationDecider(loadCatalogue()), { actor: operator, at: now });
const founded: OrganizationEvent = { type: 'OrganizationFounded', data: { name: 'Acme' } };

/** Executes the commands on a new organization. Each command must be accepted. */
function organizationAfter(...commands: readonly OrganizationCommand[]) {
  let events: readonly OrganizationEvent[] = [founded];
  for (const command of commands) {
    const decision = given(...events).when(command);
    if (isRefusal(decision)) throw new Error(decision.detail);
    events = [...events, ...decision];
  }
  return given(...events);
}
const assign = (name: string): OrganizationCommand => {
  const [line, plan] = plans[name]!;
  return { type: 'AssignPlan', data: { line, plan } };
};
const buy = (addOn: string, quantity = 1): OrganizationCommand => ({
  type: 'PurchaseAddOn',
  data: { addOn, quantity, purchase: `p-${addOn}` },
});
const limitsOf = (...commands: OrganizationCommand[]) =>
  entitlementsOf(organizationAfter(...commands).state(), now).limits;
const featuresOf = (...commands: OrganizationCommand[]) => {
  const { features } = entitlementsOf(organizationAfter(...commands).state(), now);
  return Feature.options.filter((feature) => features[feature].on);
};

/** For each column of the table: compares a cell with the entitlements of an organization that has only this plan. */
const holds: Readonly<Record<string, (plan: string, cell: string) => void>> = {
  'Content sections': (plan, cell) => expect(limitsOf(assign(plan)).contentSections.configured).toBe(Number(cell)),
  Users: (plan, cell) => expect(limitsOf(assign(plan)).users.configured).toBe(unlimitedIfNotShown(cell)),
  'Traffic per month': (plan, cell) =>
    expect(trafficAllowance(organizationAfter(assign(plan)).state())).toBe(Number(cell)),
  'QA domains': (plan, cell) => {
    // An enterprise plan does not limit the number of quality-assurance domains. With any other plan, only an add-on
    // includes such domains.
    const fromZero = plan.startsWith('enterprise') ? Infinity : 0;
    expect(limitsOf(assign(plan)).qualityAssuranceDomains.configured).toBe(cell === '0' ? 0 : fromZero);
  },
  'Web analytics domains': (plan) => expect(limitsOf(assign(plan)).webAnalyticsDomains.effective).toBe(1000),
  'Hard limits': (plan, cell) => {
    const limits = limitsOf(assign(plan));
    const finite = Object.entries(limits).filter(([, { hard }]) => hard < Infinity);
    expect(Object.fromEntries(finite.map(([resource, { hard }]) => [resource, hard]))).toEqual(hardLimits[cell]);
  },
};

describe("The specification's plan table", () => {
  it.each(cells)('%s: %s %s', (plan, column, cell) => holds[column]!(plan, cell));

  it('has seven plans and six columns, and each plan except enterprise is for sale in only one product line', () => {
    expect(cells).toHaveLength(7 * 6);
    expect(Object.keys(plans)).toEqual(rows.map(([plan]) => plan));
    const { when } = given(founded);
    for (const [line, plan] of Object.values(plans).filter(([, name]) => name !== 'enterprise'))
      expect(when({ type: 'AssignPlan', data: { line: line === 'first' ? 'second' : 'first', plan } })).toMatchObject({
        refused: 'unknown-plan',
      });
  });

  it.each(Object.keys(plans))(
    'limits the members and sites of %s: a further addition is refused, if the limit is at most 12',
    (plan) => {
      const { users, contentSections } = limitsOf(assign(plan));
      for (const [limit, add] of [
        [users.effective, addMember],
        [contentSections.effective, addSite],
      ] as const) {
        const count = Math.min(limit, MANY);
        const full = organizationAfter(assign(plan), ...Array.from({ length: count }, (_, index) => add(idOf(index))));
        const oneMore = full.when(add(idOf(count)));
        if (limit > count) expect(oneMore).toHaveLength(1);
        else expect(oneMore).toMatchObject({ refused: 'limit-exceeded', facts: { allowed: count, used: count } });
      }
    },
  );
});

describe("The specification's add-ons", () => {
  it('include additionalContentSection, which adds one content section, up to the hard limit', () => {
    expect(limitsOf(assign('professional'), buy('additionalContentSection', 3)).contentSections.effective).toBe(5);
    expect(limitsOf(assign('solo'), buy('additionalContentSection', 3)).contentSections).toMatchObject({
      configured: 4,
      effective: 1,
    });
  });

  it('include additionalUser, which adds one user, up to the hard limit', () => {
    expect(limitsOf(assign('teams'), buy('additionalUser', 3)).users.effective).toBe(8);
    expect(limitsOf(assign('solo'), buy('additionalUser', 3)).users).toMatchObject({ configured: 4, effective: 2 });
    expect(limitsOf(assign('light'), buy('additionalUser', 3)).users).toMatchObject({ configured: 4, effective: 2 });
    expect(limitsOf(assign('essential'), buy('additionalUser')).users.effective).toBe(Infinity);
  });

  it('include qualityAssurance, which adds one domain and the features qualityAssurance and multiUser', () => {
    expect(limitsOf(assign('solo'), buy('qualityAssurance', 2)).qualityAssuranceDomains).toMatchObject({
      effective: 2,
      gate: { on: true },
    });
    expect(gainedBy('qualityAssurance')).toEqual(['multiUser', 'qualityAssurance']);
  });

  it('include webAnalytics, which adds the features webAnalytics and multiUser and does not change the limit of 1,000', () => {
    expect(limitsOf(assign('solo'), buy('webAnalytics', 2)).webAnalyticsDomains).toMatchObject({
      effective: 1000,
      gate: { on: true },
    });
    expect(gainedBy('webAnalytics')).toEqual(['multiUser', 'webAnalytics']);
  });

  it('include feedback, which adds all feedback features and the four button tools', () => {
    expect(gainedBy('feedback')).toEqual([
      'feedback',
      'feedbackAssigning',
      'feedbackLabeling',
      'feedbackNotes',
      'buttonToolGeneral',
      'buttonToolSentiment',
      'buttonToolAfterReactions',
      'buttonToolHistory',
    ]);
  });

  it('are all the add-ons for sale', () => {
    expect(
      loadCatalogue()
        .addOns()
        .map(({ addOn }) => addOn)
        .toSorted(),
    ).toEqual(['additionalContentSection', 'additionalUser', 'feedback', 'qualityAssurance', 'webAnalytics']);
  });
});

describe('Features that the specification gives to plans and service levels', () => {
  it('include matomoIntegration only in the plan teams', () => {
    const withMatomo = Object.keys(plans).filter((plan) => featuresOf(assign(plan)).includes('matomoIntegration'));
    expect(withMatomo).toEqual(['teams']);
  });

  it.each(['assisted', 'turnkey'] as const)(
    'include chatSupport in the service level %s, with any plan and with none',
    (serviceLevel) => {
      const serve: OrganizationCommand = { type: 'AssignServiceLevel', data: { serviceLevel } };
      for (const plan of Object.keys(plans)) {
        expect(featuresOf(assign(plan))).not.toContain('chatSupport');
        expect(featuresOf(assign(plan), serve)).toContain('chatSupport');
      }
      expect(featuresOf(serve)).toEqual(['chatSupport']);
    },
  );
});

/** The number of additions after which these tests regard a limit as "unlimited". */
const MANY = 12;

function addMember(member: string): OrganizationCommand {
  return { type: 'AddMember', data: { member, role: 'member' } };
}

function addSite(site: string): OrganizationCommand {
  return { type: 'AddSite', data: { site, hostname: `${site}.test` } };
}

function gainedBy(addOn: string): Feature[] {
  return featuresOf(buy(addOn));
}

function idOf(index: number): string {
  return `aaaaaaaa-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

function unlimitedIfNotShown(cell: string): number {
  return cell === 'not shown' ? Infinity : Number(cell);
}

function cellsOf(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
