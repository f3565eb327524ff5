import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');
const page = read('docs/reference/acceptance.md');
const rows = [...page.matchAll(/^\| ([A-Z]+\d+) +\| [^|]+\| ([^|]+)\| ([^|]+)\|/gm)].map(
  ([, number, shown, stages]) => ({
    number: number!,
    shown: shown!.trim(),
    stages: stages!.trim().split(', '),
    files: [...shown!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!),
  }),
);

/** The number of requirements in each group: group A has the requirements A1 to A19. */
const groups = {
  ...{ A: 19, B: 20, C: 15, D: 10, E: 6, F: 10, G: 12, H: 14, I: 9, J: 10, K: 14 },
  ...{ L: 9, M: 10, N: 9, O: 14, P: 9, Q: 10, R: 9, S: 16, T: 8, U: 11, V: 12, W: 6, SD: 13 },
};
const wanted = Object.entries(groups).flatMap(([group, count]) =>
  Array.from({ length: count }, (_, index) => `${group}${index + 1}`),
);

it('The acceptance page states one requirement for each number', () => {
  const requirements = page.split('## Which spec shows which number')[0]!;
  const stated = [...requirements.matchAll(/^- \*\*([A-Z]+\d+)\*\* \S/gm)].map(([, number]) => number!);
  expect(stated).toEqual(wanted);
});

it('The acceptance table has one row for each number', () => {
  expect(rows.map(({ number }) => number).toSorted()).toEqual(wanted.toSorted());
});

it.each(rows)('Each file in the row of $number names this number', ({ number, shown, files }) => {
  const isNamedIn = (file: string) => existsSync(resolve(root, file)) && new RegExp(`\\b${number}\\b`).test(read(file));
  expect(files.filter((file) => !isNamedIn(file))).toEqual([]);
  if (files.length === 0) expect(['open', 'not run here, see below']).toContain(shown);
  if (shown.startsWith('not run here')) expect(page.split('## What is not run here')[1]).toContain(`**${number},`);
});

it.each(rows.filter(({ files }) => files.length > 0))('The stages of $number are those of its files', (row) => {
  const runsIn = (pattern: RegExp) => row.files.some((file) => pattern.test(file));
  if (runsIn(/\.nightly\.ts$/)) expect(row.stages).toContain('n');
  expect(row.stages.includes('c')).toBe(runsIn(/\.(spec|contract)\.tsx?$|^\.size-limit\.cjs$/));
});
