import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { projectFiles, type Finding, type SourceFile } from './tidy/files';
import { badSubjects, crowdedFolders, doubledNames, oldNames, vagueSentences, wideComments } from './tidy/rules';

/**
 * The number of places that still break each rule. A number may only become smaller, and a change that corrects some
 * places must lower the number. `npm run tidy [rule] [path prefix]` prints each place with its file and line.
 */
const ALLOWED = { crowded: 0, doubled: 0, wide: 0, old: 0, vague: 4 };

/** The last commit before these rules existed. Earlier commit subjects have no area. */
const BASE = '2974716135237d6f1faa809d4430ff5b81ebff6f';

const root = join(__dirname, '..');
const files = projectFiles(root);

const planted = (path: string, text = ''): SourceFile => ({ path, text });

/** The message of a failing rule: the number of places in each file, or that the allowed number is too high. */
function complaint(found: readonly Finding[], allowed: number): string | undefined {
  if (found.length === allowed) return undefined;
  if (found.length < allowed) return `Only ${found.length} places are left: lower the number in test/tidy.spec.ts.`;
  const perFile = [...Map.groupBy(found, ({ path }) => path)]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([path, { length }]) => `${length}  ${path}`);
  return [`${found.length} places, ${allowed} allowed. npm run tidy prints them.`, ...perFile].join('\n');
}

describe('A folder', () => {
  const holding = (folder: string, count: number) =>
    Array.from({ length: count }, (_, at) => planted(`${folder}/file-${at}.ts`));

  it('has at most 15 production files', () => {
    expect(complaint(crowdedFolders(files), ALLOWED.crowded)).toBeUndefined();
  });

  it('breaks the rule with 16 production files', () => {
    expect(crowdedFolders(holding('libs/billing/src', 16))).toHaveLength(1);
    expect(crowdedFolders(holding('apps/api/src/request', 16))).toHaveLength(1);
  });

  it.each(['libs/organization/src/decisions', 'libs/database/src/schema/migrations'])(
    'may have any number of files of one kind: %s',
    (folder) => expect(crowdedFolders(holding(folder, 40))).toEqual([]),
  );

  it('may have any number of specs', () => {
    const specs = Array.from({ length: 40 }, (_, at) => planted(`libs/billing/src/file-${at}.spec.ts`));
    expect(crowdedFolders(specs)).toEqual([]);
  });
});

describe('An exported name', () => {
  it('is exported by one file only', () => {
    expect(complaint(doubledNames(files), ALLOWED.doubled)).toBeUndefined();
  });

  it.each([
    'export type Position = bigint',
    'export interface Position {',
    'export abstract class Position {',
    'export const Position = z.bigint();',
    'export function Position() {',
    'export async function* Position() {',
  ])('breaks the rule if a second file exports it: %s', (declared) => {
    const other = planted('apps/api/src/b.ts', 'export type Position = string;');
    const value = planted('apps/api/src/b.ts', 'export const Position = 1;');
    expect(doubledNames([planted('libs/event-log/src/a.ts', declared), other])).toHaveLength(2);
    expect(doubledNames([planted('libs/event-log/src/a.ts', declared), value])).toHaveLength(2);
  });

  it('may have a schema of the same name in its file, and be exported again by an index', () => {
    const schema = 'export const Plan = z.object({});\nexport type Plan = z.infer<typeof Plan>;';
    const index = `export { Plan } from './plan';\nexport type { Plan } from './plan';`;
    expect(doubledNames([planted('libs/a/src/plan.ts', schema), planted('libs/a/src/index.ts', index)])).toEqual([]);
  });
});

describe('A comment', () => {
  const wide = (comment: string) => wideComments([planted('libs/a/src/a.ts', comment)]);

  it('fits into 120 characters', () => {
    expect(complaint(wideComments(files), ALLOWED.wide)).toBeUndefined();
  });

  it.each([
    ['behind code', `const a = 1; // ${'x'.repeat(105)}`, 1],
    ['in a block', `/**\n * ${'x'.repeat(118)}\n */`, 2],
    ['that is indented', `{\n${' '.repeat(10)}// ${'x'.repeat(110)}\n}`, 2],
  ])('breaks the rule with 121 characters %s', (_, comment, line) => {
    expect(wide(comment)).toEqual([expect.objectContaining({ line })]);
  });

  it('is not confused with a string that contains slashes', () => {
    expect(wide(`const url = 'http://${'x'.repeat(120)}';`)).toEqual([]);
    expect(wide(`// ${'x'.repeat(117)}`)).toEqual([]);
  });
});

describe('An old name', () => {
  it('is used in no file', () => {
    expect(complaint(oldNames(files), ALLOWED.old)).toBeUndefined();
  });

  it.each([
    ['libs/event-log/src/patience.ts', ''],
    ['libs/wiring/src/open.ts', ''],
    ['apps/api/src/operators/kept.ts', ''],
    ['libs/aggregates/src/in-turn.spec.ts', ''],
    ['libs/decider/src/decider.ts', 'export type Telling = Moment;'],
    ['test/crash/oracle.ts', 'type Told = Moment;'],
    ['libs/event-log/src/chain.ts', 'export type Verdict = string;'],
    ['libs/event-log/src/chain.ts', 'export const owed = (stream: string) => stream;'],
    ['apps/api/src/account/account.controller.ts', '  private tell(data: string) {\n  }'],
    ['apps/api/src/account/account.controller.ts', '  async tell(\n    data: string,\n  ) {\n  }'],
  ])('is found in %s: %s', (path, text) => {
    expect(oldNames([planted(path, text)])).toHaveLength(1);
  });

  it.each([
    ['libs/event-log/src/event-ref.ts', 'export type EventRef = Moment;'],
    ['libs/event-log/src/chain.ts', 'type Verdict = string;\nexport type ChainVerdict = Verdict;'],
    ['web/src/sign-in/early-submit.ts', `const told = { type: 'told' };`],
    ['libs/event-log/src/chain.ts', '  await tell(stream);'],
  ])('is not found in %s: %s', (path, text) => {
    expect(oldNames([planted(path, text)])).toEqual([]);
  });
});

describe('A sentence', () => {
  const vague = (path: string, text: string) => vagueSentences([planted(path, text)]);

  it('names who acts', () => {
    expect(complaint(vagueSentences(files), ALLOWED.vague)).toBeUndefined();
  });

  it.each([
    ['a comment', 'a.ts', '/** Reads streams for somebody. */'],
    ['a comment of two lines', 'a.ts', '// Reads streams. Those\n// who wait are answered.'],
    ['a tag', 'a.ts', '/**\n * Reads.\n * @returns Whoever asked.\n */'],
    ['a comment that starts with "What"', 'a.ts', '/** What every controller may need. */'],
    ['a clause', 'a.ts', '// Kept is its hash; what is sent is the token.'],
    ['a test title', 'a.spec.ts', `it('what was acknowledged is there', () => {});`],
    ['a title of cases', 'a.spec.ts', 'it.each([1])(`nobody reads %s`, () => {});'],
    ['a message', 'a.ts', 'throw new Error(`The port ${port} is used by somebody else`);'],
    ['text of a page', 'a.tsx', 'const a = <p>Nobody has signed in yet.</p>;'],
    ['a page of documentation', 'a.md', 'The log is read.\n\n- What is signed stays.\n'],
    ['a heading', 'a.md', '## Erasing somebody\n'],
    ['a workflow', 'a.yml', 'on: push # for whoever pushes'],
    ['a word for all people', 'a.ts', '// Everyone reads this page.'],
    ['a word for any person', 'a.spec.ts', `it('anyone may read the page', () => {});`],
  ])('that does not name who acts is found in %s', (_, path, text) => {
    expect(vague(`libs/a/${path}`, text)).toHaveLength(1);
  });

  it.each([
    ['a question', 'a.spec.ts', `it('asks: What is known?', () => {});\n// What if the log is gone?`],
    ['an object', 'a.ts', '/** The projector stores what the log holds. */'],
    ['code', 'a.ts', 'const somebody = nobody(whoever); // calls `somebody`'],
    ['a short string', 'a.ts', `const user = 'nobody';`],
    ['a heading', 'a.md', '## What a change costs\n'],
    ['a block of code', 'a.md', '```\nWhat is this\n```\n'],
  ])('may contain "what", "nobody" or "somebody" in %s', (_, path, text) => {
    expect(vague(`libs/a/${path}`, text)).toEqual([]);
  });
});

describe('A number of allowed places', () => {
  const found = [{ path: 'libs/a/src/a.ts', line: 1, what: 'planted' }];

  it('is exceeded if more places are found; the message then names their files', () => {
    expect(complaint(found, 0)).toContain('1  libs/a/src/a.ts');
  });

  it('must be lowered if fewer places are found', () => expect(complaint(found, 2)).toContain('lower the number'));

  it('is correct if exactly this number is found', () => expect(complaint(found, 1)).toBeUndefined());
});

describe('The subject of a commit', () => {
  it('is "area: what the commit does"', () => {
    expect(badSubjects(subjectsSince(BASE))).toEqual([]);
  });

  it.each([
    'Whoever goes through a history shows it with the same bar',
    'billing: Retry messages',
    'billing: retry messages.',
    'billing: the messages are retried',
    'Billing: retry messages',
    'billing retry messages',
    `billing: retry ${'messages '.repeat(8)}again`,
  ])('is refused: %s', (subject) => expect(badSubjects([subject])).toEqual([subject]));

  it.each([
    'billing: retry messages applied while Stripe was unreachable',
    'api, cli: name one type once',
    'docs: add x',
  ])('is accepted: %s', (subject) => expect(badSubjects([subject])).toEqual([]));
});

/**
 * The subjects of all commits after `base`. The list is empty in an export without git, or in a clone without the
 * commit `base`.
 */
function subjectsSince(base: string): readonly string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  try {
    git('merge-base', '--is-ancestor', base, 'HEAD');
  } catch {
    return [];
  }
  return git('log', '--no-merges', '--format=%s', `${base}..HEAD`).split('\n').filter(Boolean);
}
