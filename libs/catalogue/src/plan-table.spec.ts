import { loadCatalogue } from './load';
import { specified } from './plan-table.testing';

const rows = specified
  .trim()
  .split('\n')
  .slice(2)
  .map(
    (row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()) as [string, ...string[]],
  );

const keys: Record<string, string> = {
  essential: 'first/essential',
  professional: 'first/professional',
  'enterprise (first line)': 'first/enterprise',
  solo: 'second/solo',
  teams: 'second/teams',
  'enterprise (second line)': 'second/enterprise',
  light: 'second/light',
};

const hardLimits: Record<string, object> = {
  'not shown': {},
  none: {},
  '1 content section, 2 users': { contentSections: 1, users: 2 },
  '10 users': { users: 10 },
  'as solo': { contentSections: 1, users: 2 },
};

const catalogue = loadCatalogue();
const terms = (name: string) => catalogue.plans().find(({ line, plan }) => `${line}/${plan}` === keys[name])!.terms;
const amount = (cell: string | undefined) => (cell === 'not shown' ? undefined : Number(cell));

describe("Specification's plan table", () => {
  it('has seven plans, and the catalogue has the same seven plans', () => {
    expect(catalogue.plans().map(({ line, plan }) => `${line}/${plan}`)).toEqual(rows.map(([name]) => keys[name]));
  });

  describe.each(rows)('%s', (name, sections, users, traffic, qualityAssurance, webAnalytics, hard) => {
    it(`equals the catalogue in the column "content sections" (${sections})`, () =>
      expect(terms(name).limits.contentSections).toBe(amount(sections)));
    it(`equals the catalogue in the column "users" (${users})`, () =>
      expect(terms(name).limits.users).toBe(amount(users)));
    it(`equals the catalogue in the column "traffic per month" (${traffic})`, () =>
      expect(terms(name).trafficPerMonth).toBe(amount(traffic)));
    it(`equals the catalogue in the column "QA domains" (${qualityAssurance})`, () =>
      expect(terms(name).limits.qualityAssuranceDomains).toBe(amount(qualityAssurance)));
    it(`equals the catalogue in the column "web analytics domains" (${webAnalytics})`, () =>
      expect(terms(name).limits.webAnalyticsDomains).toBe(amount(webAnalytics)));
    it(`equals the catalogue in the column "hard limits" (${hard})`, () =>
      expect(terms(name).hardLimits).toEqual(hardLimits[hard]));
  });

  it('shows no value for some limits of essential, and the catalogue has no such limits in this plan', () => {
    const columns = ['users', 'contentSections', 'qualityAssuranceDomains', 'webAnalyticsDomains'];
    const limits = Object.keys(terms('essential').limits);
    expect(limits.filter((resource) => columns.includes(resource))).toEqual(['contentSections']);
  });
});
