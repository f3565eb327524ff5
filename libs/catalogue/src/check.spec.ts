import { readFileSync } from 'node:fs';
import { Resource } from '@charter/organization';
import { checkCatalogue, type CatalogueProblem } from './check';
import { builtInCatalogue } from './load';

const builtIn = readFileSync(builtInCatalogue, 'utf8');

/** The text of the built-in catalogue, in which `to` replaces `from` in the entry with this key. */
function changed(entry: string, from: string | RegExp, to: string): string {
  const start = builtIn.indexOf(`"${entry}": {`);
  const text = builtIn.slice(0, start) + builtIn.slice(start).replace(from, to);
  if (start < 0 || text === builtIn) throw new Error(`no such text in the entry ${entry}`);
  return text;
}

/** The number of the first line that contains `part` within an entry. */
function lineOf(text: string, entry: string, part: string): number {
  const start = text.indexOf(`"${entry}"`);
  return text.slice(0, text.indexOf(part, start)).split('\n').length;
}

const problemsOf = (text: string) =>
  checkCatalogue(text).map(({ path, message }: CatalogueProblem) => `${path}: ${message}`);

describe('Check of a catalogue', () => {
  it('finds no problems in the built-in catalogue', () => expect(checkCatalogue(builtIn)).toEqual([]));

  it.each([
    ['', 1, 1, 'is not JSON: value expected'],
    ['{ "plans": {}\n  "addOns": {} }', 2, 3, 'is not JSON: comma expected'],
    ['{ // ours\n}', 1, 3, 'is not JSON: invalid comment token'],
    ['{ "plans": 1, }', 1, 15, 'is not JSON: property name expected'],
    ['{} {}', 1, 4, 'is not JSON: end of file expected'],
  ])('refuses the text %j, and reports the place of its first JSON error', (text, line, column, message) => {
    expect(checkCatalogue(text)).toEqual([{ path: '', line, column, message }]);
  });

  it.each(['[]', '1', 'null', '"plans"'])('refuses the text %s, because it is not a catalogue', (text) => {
    expect(checkCatalogue(text)).toMatchObject(
      [{ path: '', line: 1, column: 1, message: /expected object/ }].map(anyText),
    );
  });

  it('refuses a text with too many levels of nesting', () => {
    expect(problemsOf('['.repeat(200_000))).toEqual([': is nested too deeply']);
  });

  it.each([
    ['a wrong number', 'second/solo', '"users": 1,', '"users": 1.5,', 'limits.users', 'expected int'],
    [
      'a negative number',
      'second/teams',
      '"trafficPerMonth": 1000000',
      '"trafficPerMonth": -1',
      'trafficPerMonth',
      '>=0',
    ],
    ['text for a number', 'second/solo', '"users": 2', '"users": "2"', 'hardLimits.users', 'expected number'],
    ['an unknown feature', 'second/light', '"feedback"', '"feedbak"', 'features.0', 'Invalid option'],
    ['an unknown resource', 'second/solo', '"users": 2', '"seats": 2', 'hardLimits.seats', 'is not a field'],
    [
      'a list that is too long',
      'second/teams',
      '"soldOnlyByAddOn": [',
      `"soldOnlyByAddOn": [${'"users", '.repeat(Resource.options.length + 1)}`,
      'soldOnlyByAddOn',
      `<=${Resource.options.length}`,
    ],
    ['an additional field', 'first/essential', '"ours"', '"mine": 1, "ours"', 'mine', 'is not a field'],
  ])('finds %s, and reports the path and the line of the error', (_what, entry, from, to, path, message) => {
    const text = changed(entry, from, to);
    const [problem, ...others] = checkCatalogue(text);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ path: `plans.${entry}.${path}`, message: expect.stringContaining(message) });
    expect(text.split('\n')[problem!.line - 1]).toContain(to.includes('feedbak') ? 'feedbak' : to.split(',')[0]);
  });

  it('reports a missing field at the entry that lacks it', () => {
    const text = changed('second/teams', '"trafficPerMonth": 1000000,', '');
    expect(checkCatalogue(text)).toEqual([
      {
        path: 'plans.second/teams.trafficPerMonth',
        line: lineOf(text, 'second/teams', '{'),
        column:
          builtIn
            .split('\n')
            .find((line) => line.includes('"second/teams": {'))!
            .indexOf('{') + 1,
        message: 'is missing',
      },
    ]);
  });

  it('finds several problems at once, and reports them in the order of the file', () => {
    const text = changed('second/teams', '"users": 5', '"users": true').replace(
      '"first/essential"',
      '"first/Essential"',
    );
    expect(problemsOf(text)).toEqual([
      'plans.first/Essential: is not a plan: first/… or second/…, in lowercase',
      expect.stringMatching(/^plans\.second\/teams\.limits\.users: .*expected number/),
    ]);
  });

  it('finds the lines and columns of 6,000 problems within two seconds of processor time', () => {
    const lines = Array.from({ length: 6_000 }, (_, index) => `"key ${index}": 1`);
    const begun = process.cpuUsage(); // unlike a clock, it omits the work of other processes
    const problems = checkCatalogue(`{\n${lines.join(',\n')}\n}`);
    // The check takes about 0.05 s. A search of the whole text for each problem would take 5 s.
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(2_000);
    const places = problems.filter(({ path }) => path.startsWith('key')).map(({ line, column }) => [line, column]);
    expect(places).toEqual(lines.map((_, index) => [index + 2, '"key ": '.length + String(index).length + 1]));
  });

  it.each(['__proto__', 'constructor', 'third/solo', 'first/', 'first/a/b'])(
    "refuses the key %s, because it is not a plan's name",
    (name) => {
      expect(problemsOf(builtIn.replace('"plans": {', `"plans": { "${name}": {},`))).not.toEqual([]);
    },
  );
});

describe('Contradictions in a catalogue', () => {
  it.each([
    [
      'a plan of the specification is missing',
      builtIn.replace('"second/light"', '"second/lighter"'),
      'plans.second/light: is missing',
    ],
    [
      'a key appears twice',
      changed('second/solo', '"users": 1,', '"users": 1, "users": 2,'),
      'plans.second/solo.limits.users: appears twice',
    ],
    [
      'a product is sold twice',
      changed('second/solo', '"charter-second-solo"', '"charter-feedback"'),
      'addOns.feedback.linkedProductIds.0: "charter-feedback" is sold twice: it names second/solo already',
    ],
    [
      'a hard limit is below the limit',
      changed('second/teams', '"users": 10', '"users": 4'),
      "plans.second/teams.hardLimits.users: is below the plan's own limit, 5",
    ],
    [
      'a hard limit without a limit',
      changed('first/essential', '"hardLimits": {}', '"hardLimits": { "users": 3 }'),
      'plans.first/essential.hardLimits.users: limits nothing, because the plan has no limit here: leave it out',
    ],
    [
      'a hard limit of 0, which limits nothing',
      changed('second/teams', '"users": 10', '"users": 0'),
      'plans.second/teams.hardLimits.users: is 0, and so limits nothing: leave it out',
    ],
    [
      'a limit above 0 for a resource that is sold only by add-on',
      changed('second/solo', '"qualityAssuranceDomains": 0', '"qualityAssuranceDomains": 1'),
      'plans.second/solo.limits.qualityAssuranceDomains: must be 0, because only add-ons sell this resource',
    ],
    [
      'the feature matomoIntegration in another plan than second/teams',
      changed('second/light', '"feedback"', '"matomoIntegration"'),
      'plans.second/light.features.0: belongs to second/teams only',
    ],
    [
      'the feature multiSite in the list `features` of a plan',
      changed('second/light', '"feedback"', '"multiSite"'),
      'plans.second/light.features.0: belongs in organizationDefaults',
    ],
  ])('are reported: %s', (_what, text, finding) => expect(problemsOf(text)).toEqual([finding]));

  it('do not include a plan with a hard limit for a resource that only add-ons sell', () => {
    expect(problemsOf(changed('second/teams', '"users": 10', '"qualityAssuranceDomains": 3'))).toEqual([]);
  });

  it('include a service level with a feature other than chatSupport', () => {
    expect(problemsOf(changed('assisted', '"chatSupport"', '"feedback"'))).toEqual([
      expect.stringMatching(/^serviceLevels\.assisted\.features\.0: /),
    ]);
  });
});

const anyText = ({ message, ...problem }: { message: RegExp }) => ({
  ...problem,
  message: expect.stringMatching(message) as unknown,
});
