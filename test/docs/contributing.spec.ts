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
    ['libs/organization/src/commands.ts', 'const commandTable', 'export const schemaOf'],
    ['libs/organization/src/commands.ts', 'makes?:', 'adds?:', 'removes?:', 'sets?:'],
    ['libs/organization-view/src/undo/undo-parts.ts', 'const rows'],
    ['libs/organization-view/src/undo/undo-commands.ts', 'const places'],
    ['libs/organization-view/src/public-document.ts', 'const exampleDocument'],
    ['web/src/console/draft/words/command-words.ts', 'const commandValues'],
    ['web/src/console/document-lists.ts', 'const listShapes'],
    ['libs/organization/src/terms.ts', 'export const resources', 'export const listEntries', 'export const Feature'],
    ['libs/organization/src/state.ts', 'export const initial'],
    ['libs/organization/src/decision.ts', 'export function limitExceeded', '`no-such-${'],
    ['libs/organization/src/entitlements.ts', 'function grantsOf'],
    ['libs/organization/src/lives.spec.ts', 'const dictionary', 'const reasons'],
    ['libs/organization/src/permission.spec.ts', 'const commandsOfRow'],
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
    ['web/src/console/organization/organization-pages.ts', 'export const organizationPages', 'words?:', 'reads?:'],
    ['web/src/console/organization/later-words.tsx', 'const laterCatalogues'],
    ['web/src/catalogues.spec.ts', 'const laterGroups'],
  ])('relies on code that %s contains', (file, ...places) => {
    for (const place of places) expect(read(file)).toContain(place);
  });
});

/** Production sources: no specs, no helpers of specs, no generated files, and not the data of the demo. */
const sources = ['libs', 'apps', 'web/src']
  .flatMap((top) => globSync(`${top}/**/*.{ts,tsx}`, { cwd: root }))
  .filter(
    (file) =>
      !/[./](spec|testing|contract|nightly)\.tsx?$|\/(node_modules|dist|generated)\/|^libs\/client\/src\/types\.ts$/.test(
        file,
      ) && !file.startsWith('apps/api/src/demo/'),
  );
/** The console's table of the lists that have a page and a limit. */
const COUNTED_LISTS = 'web/src/console/organization/lists/counted-lists.ts';

/**
 * Whether the file contains the name as a key or as an entry of a list. Elsewhere the word may have another meaning.
 */
const namedIn = (file: string, name: string) => new RegExp(`(['"\`]|^\\s*)${name}(['"\`]|:)`, 'm').test(read(file));
const filesWith = (name: string) => sources.filter((file) => namedIn(file, name));

describe('The name of a limit', () => {
  /** The search skips a limit that has the name of its list, because this name also occurs in events and rules. */
  const lists = new Set<string>(Resource.options.map((name) => resources[name].list));
  const ownNames = Resource.options.filter((name) => !lists.has(name));

  it.each(ownNames)('%s occurs only in the table of limits, and in the table of the lists that have a page', (name) => {
    const ofPages = namedIn(COUNTED_LISTS, name) ? [COUNTED_LISTS] : [];
    expect(filesWith(name)).toEqual(['libs/organization/src/terms.ts', ...ofPages]);
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
  /** The production files that steps change: the files with a colon behind their name, without the translations. */
  const changedIn = (steps: readonly string[]) => {
    const named = steps.flatMap((step) => [...step.matchAll(/`([^`]+)`(?: again)?:/g)].map(([, file]) => file!));
    return new Set(named.filter((file) => FOLDERS.test(file) && !file.startsWith('web/locales/')));
  };
  /** The numbers that the text names, as in "change these 7 production files". */
  const numbersIn = (heading: string) =>
    [...section(heading).matchAll(/[Cc]hange (?:these )?(\d+)\s+production\s+files/g)].map(([, number]) =>
      Number(number),
    );

  it('for a command change as many production files as the text says: at most 7, and 6 without the document', () => {
    const steps = stepsOf('Add a command with its event');
    expect([changedIn(steps).size]).toEqual(numbersIn('Add a command with its event'));
    expect(changedIn(steps).size).toBeLessThanOrEqual(7);
    expect(changedIn(steps.filter((step) => !step.includes('public-document.ts'))).size).toBeLessThanOrEqual(6);
  });

  it('for a limit change as many production files as the text says: at most 8 for a new list', () => {
    const steps = stepsOf('Add a limit');
    const existing = steps.slice(0, 3);
    expect([existing, steps].map((of) => changedIn(of).size)).toEqual(numbersIn('Add a limit'));
    expect(changedIn(steps).size).toBeLessThanOrEqual(8);
  });

  it('for a feature were followed for every existing feature: the .po files of both languages contain its name', () => {
    for (const feature of Feature.options)
      for (const language of ['en', 'fi'])
        expect(read(`web/locales/console/${language}.po`)).toContain(`msgid "feature.${feature}"`);
  });
});
