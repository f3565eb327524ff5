import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Feature, Resource, resources } from '@charter/organization';

const root = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const guide = read('CONTRIBUTING.md');

/** The texts between single backticks: commands, files and names. Blocks of commands do not count. */
const quotedIn = (text: string) =>
  [...text.replaceAll(/```.*?```/gs, '').matchAll(/`([^`]+)`/g)].map(([, quoted]) => quoted!);

/** The section under a heading, up to the next heading of the same level. */
function section(heading: string): string {
  const found = guide.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`CONTRIBUTING.md has no section "${heading}".`);
  return found;
}

/** The numbered steps of a section, with their indented lines. */
const stepsOf = (heading: string) => section(heading).match(/^\d+\. .*(\n {3}.*)*/gm) ?? [];

const FOLDERS = /^(apps|libs|web|test|docs|scripts|deploy|\.ci)\//;
const files = [...new Set(quotedIn(guide).map((text) => text.replace(/^node /, '').split(' ')[0]!))].filter(
  (text) => FOLDERS.test(text) && !text.includes('<'),
);

describe('CONTRIBUTING.md', () => {
  it('names more than 12 files', () => expect(files.length).toBeGreaterThan(12));

  it.each(files)('names %s, which exists', (file) => expect(existsSync(join(root, file))).toBe(true));

  it.each([
    ['libs/organization/src/events.ts', 'export type OrganizationEvent', 'const eventTable', 'const stateVersion'],
    ['libs/organization/src/state.ts', 'export type OrganizationDraft', 'export function put', 'export function drop'],
    ['libs/organization/src/commands.ts', 'const commandTable', 'export const schemaOf', 'makes?:'],
    ['libs/organization/src/terms.ts', 'export const resources', 'export const listEntries', 'export const Feature'],
    ['libs/organization/src/state.ts', 'export const initial'],
    ['libs/organization/src/decision.ts', 'export function limitExceeded', '`no-such-${'],
    ['libs/organization/src/entitlements.ts', 'function grantsOf'],
    ['libs/organization/src/lives.spec.ts', 'const dictionary', 'const reasons'],
    ['libs/organization/src/permission.spec.ts', 'const about'],
    ['test/support/requests/full-organization.ts', 'export const rightRequests'],
    ['libs/event-log/src/port.ts', 'export interface EventLog'],
    ['libs/application/src/charter.ts', 'function openLog'],
    ['libs/settings/src/environment.ts', 'export const Environment'],
    ['libs/settings/src/settings.ts', 'export type Settings'],
    ['libs/settings/src/conflicts.ts', 'settingsConflicts'],
    ['apps/api/src/process/observability/metrics.ts', 'export function createMetrics'],
    ['apps/api/src/pages/page-choice.ts', 'function pageForSession'],
    ['test/contract/sqlite-log.spec.ts', 'describeEventLog('],
    ['web/src/console/Console.tsx', '<Routes>', 'lazy('],
  ])('names code that %s contains', (file, ...places) => {
    for (const place of places) expect(read(file)).toContain(place);
  });
});

/** Production sources: no specs, no helpers of specs, no generated files, and not the data of the demo. */
const sources = ['libs', 'apps', 'web/src']
  .flatMap((top) => globSync(`${top}/**/*.{ts,tsx}`, { cwd: root }))
  .filter(
    (file) =>
      !/[./](spec|testing|contract|nightly)\.tsx?$|\/(node_modules|dist|generated)\/|^libs\/client\//.test(file) &&
      !file.startsWith('apps/api/src/demo/'),
  );
/** For each limit that a page of the console shows: the file of this page. */
const pageOfLimit: Partial<Record<Resource, string>> = {
  users: 'members/Members.tsx',
  contentSections: 'sites/Sites.tsx',
  qualityAssuranceDomains: 'domains/Domains.tsx',
  webAnalyticsDomains: 'domains/Domains.tsx',
};

/**
 * Whether the file contains the name as a key or as an entry of a list. Elsewhere the word may have another meaning.
 */
const namedIn = (file: string, name: string) => new RegExp(`(['"\`]|^\\s*)${name}(['"\`]|:)`, 'm').test(read(file));
const filesWith = (name: string) => sources.filter((file) => namedIn(file, name));

describe('The name of a limit', () => {
  /** The search skips a limit that has the name of its list, because this name also occurs in events and rules. */
  const lists = new Set<string>(Resource.options.map((name) => resources[name].list));
  const ownNames = Resource.options.filter((name) => !lists.has(name));

  it.each(ownNames)('%s occurs only in the table of limits, and in the page of its list', (name) => {
    const page = pageOfLimit[name];
    expect(filesWith(name)).toEqual([
      'libs/organization/src/terms.ts',
      ...(page === undefined ? [] : [`web/src/console/organization/${page}`]),
    ]);
  });

  it.each(Resource.options)('%s occurs in the product catalogue and in the .po files of both languages', (name) => {
    expect(read('libs/catalogue/catalogue.json')).toContain(`"${name}"`);
    for (const language of ['en', 'fi'])
      expect(read(`web/locales/console/${language}.po`)).toContain(`msgid "resource.${name}"`);
  });

  it('is found by the search of these tests, for example in the catalogue', () => {
    expect(namedIn('libs/catalogue/catalogue.json', 'users')).toBe(true);
  });
});

describe('The steps in CONTRIBUTING.md', () => {
  const filesIn = (heading: string) =>
    new Set(stepsOf(heading).flatMap((step) => quotedIn(step).filter((text) => FOLDERS.test(text))));

  it('for a command are at most 6, not counting the step that applies only if the document prints a new field', () => {
    expect(stepsOf('Add a command with its event').length).toBeGreaterThan(4);
    const steps = stepsOf('Add a command with its event');
    expect(steps.filter((step) => !step.includes('if the document prints this field')).length).toBeLessThanOrEqual(6);
  });

  it('for a limit mention at most 8 files, not counting the .po files', () => {
    const files = [...filesIn('Add a limit')].filter((file) => !file.startsWith('web/locales/'));
    expect(files.length).toBeGreaterThan(6);
    expect(files.length).toBeLessThanOrEqual(8);
  });

  it('for a feature were followed for every existing feature: the .po files of both languages contain its name', () => {
    for (const feature of Feature.options)
      for (const language of ['en', 'fi'])
        expect(read(`web/locales/console/${language}.po`)).toContain(`msgid "feature.${feature}"`);
  });
});
