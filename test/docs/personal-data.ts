import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * A row of the page about personal data: columns of a table, and whether the export of a person's own data contains
 * them.
 */
export type Line = Readonly<{ table: string; columns: readonly string[]; isPersonal: boolean; isExported: boolean }>;

const PAGE = resolve(__dirname, '../../docs/reference/personal-data.md');

export function personalData(): readonly Line[] {
  const [before = '', about = '', others = ''] = readFileSync(PAGE, 'utf8').split(/^## In the tables, .*$/m);
  if (before === '' || others === '') throw new Error('The page about personal data has lost its two tables.');
  const [organizations = ''] = others.split('## Elsewhere');
  return [...linesIn(about, true), ...linesIn(organizations, false)];
}

const linesIn = (text: string, isPersonal: boolean): Line[] =>
  [...text.matchAll(/^\| `(\w+)` +\|([^|]*)\|(?:.*\|)?([^|]*)\|$/gm)].map(
    ([, table = '', columns = '', last = '']) => ({
      table,
      columns: [...columns.matchAll(/`(\w+)`/g)].map(([, column = '']) => column),
      isPersonal,
      isExported: isPersonal && last.trim() === 'yes',
    }),
  );
