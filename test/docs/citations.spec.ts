import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { citationsIn, type File, pageOf } from './citations';

const root = resolve(__dirname, '../..');
const read = (path: string): File => ({ path, text: readFileSync(join(root, path), 'utf8') });
/** This spec contains wrong citations on purpose, so the search skips it. */
const unsearched = /(^|\/)(node_modules|dist|golden)\/|^test\/docs\/citations\./;
const found = (...globs: string[]): readonly File[] =>
  globSync(globs, { cwd: root })
    .filter((path) => !unsearched.test(path))
    .map(read);

const documents = found('*.md', 'docs/**/*.md', '{libs,apps}/*/README.md', '{web,test,deploy}/**/*.md');
const code = found(
  '{libs,apps,web,test,scripts,bin}/**/*.{ts,tsx,mts,cts,mjs,cjs,js,css,sh}',
  '*.{cjs,mjs,yml}',
  'deploy/**/*.{yml,sh,cfg}',
  'Dockerfile',
  '.ci/*',
);
const pages = new Map(documents.map((document) => [document.path, pageOf(document)]));
/** Git ignores the results of the bench, and a run of the bench writes them. So paths of results count as existing. */
const isThere = (path: string) => path.startsWith('test/bench/results/') || existsSync(join(root, path));
const citations = (files: readonly File[]) => files.flatMap((file) => citationsIn(file, pages, isThere));
const dangling = (files: readonly File[]) =>
  citations(files).flatMap(({ at, cited, dangling: why }) =>
    why === undefined ? [] : [`${at} cites ${cited}: ${why}`],
  );

describe('Citations', () => {
  it('in code refer to pages, headings and rules that exist', () => {
    expect(dangling(code)).toEqual([]);
    expect(citations(code).length).toBeGreaterThan(300);
  });

  it('in documentation refer to pages, headings and rules that exist', () => {
    expect(dangling(documents)).toEqual([]);
    expect(citations(documents).length).toBeGreaterThan(100);
  });
});

describe('The search for citations', () => {
  it.each([
    ['a page that does not exist', 'as `gone.md` says'],
    ['a page in a folder that does not exist', 'see docs/gone/page.md'],
    ['a rule that does not exist', '(`decisions.md` 99)'],
    ['a second rule that does not exist', '(`decisions.md` 9, 31)'],
    ['a rule under a heading', '(`decisions.md`, Signing in, 60)'],
    ['a heading that is not there', '(`api.md`, Nonsense)'],
    ['a letter with a number', '`acceptance.md` A99'],
    ['the end of a range', 'event-log.md D7–D9'],
    ['a letter', '`event-log.md` K.'],
    ['a section', '`specification.md` §10'],
    ['a citation over two lines of a comment', '/**\n * `decisions.md`, Signing\n * in, 40. */'],
    ['a rule without its page', '// rule 77 orders it'],
    ['a label in parentheses', `it('is kept (Z9)')`],
    ['a file', 'see `libs/decider/src/gone.ts`'],
    ['a label before a colon', `it('Z9: is kept')`],
  ])('reports a citation whose target does not exist: %s', (_, text) => {
    expect(dangling([{ path: 'libs/x/src/x.ts', text }])).toHaveLength(1);
  });

  it.each([
    ['a link to a page', '[it](gone.md)'],
    ['a link to a heading', '[it](settings.md#gone)'],
    ['a link to a heading of its own page', '# Here\n[it](#gone)'],
  ])('finds %s that does not exist', (_, text) => {
    expect(dangling([{ path: 'docs/reference/metrics.md', text }])).not.toEqual([]);
  });

  it.each([
    '`decisions.md` 24 and `acceptance.md` H10, M5',
    '`decisions.md`, Signing in, 3 and 18; `acceptance.md` E',
    '`event-log.md` A1, without deletions',
    '`api.md`, Shapes: and more',
    '`specification.md` §9; specification 5; rules 3 and 18; (K6), (U4, U8)',
    '`libs/decider/src/decider.ts`, `test/docs`, `libs/<name>/src`, `test/api/*.ts`',
    '`settings.md` A process reads it. `README.md`',
  ])('accepts %s', (text) => {
    expect(dangling([{ path: 'libs/x/src/x.ts', text }])).toEqual([]);
    expect(citations([{ path: 'libs/x/src/x.ts', text }])).not.toEqual([]);
  });
});
