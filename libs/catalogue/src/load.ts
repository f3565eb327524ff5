import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CatalogueProblem, readCatalogue } from './check';
import { forSale, type ForSale } from './for-sale';

export interface CatalogueSettings {
  /** The value of the setting `CATALOGUE_FILE`: the path of a file that replaces the built-in catalogue. */
  readonly file?: string | undefined;
  /** The values in the setting `PLAN_PROVIDER_IDS`, where commas separate the values. */
  readonly planProviderIds?: readonly string[] | undefined;
}

/**
 * Thrown when a process cannot use the catalogue, so that the process does not start. The message names the file, the
 * first problem and the problem's line.
 */
export class CatalogueRefused extends Error {
  override readonly name = 'CatalogueRefused';

  constructor(
    readonly file: string,
    readonly problems: readonly CatalogueProblem[],
  ) {
    super(sentence(file, problems));
  }
}

/**
 * The path of the catalogue file that is a part of Charter. The build copies the file, so that this relative path is
 * also correct in the built code.
 */
export const builtInCatalogue = join(__dirname, '..', 'catalogue.json');

/**
 * Reads and checks the catalogue once, when the process starts.
 * @throws CatalogueRefused
 */
export function loadCatalogue({ file = builtInCatalogue, planProviderIds = [] }: CatalogueSettings = {}): ForSale {
  const read = readCatalogue(textOf(file), planProviderIds);
  if ('problems' in read) throw new CatalogueRefused(file, read.problems);
  return forSale(read.file);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { message } = error as Error; // readFileSync throws only Error objects
    throw new CatalogueRefused(file, [{ path: '', line: 1, column: 1, message: `cannot be read: ${message}` }]);
  }
}

function sentence(file: string, problems: readonly CatalogueProblem[]): string {
  const { line, path, message } = problems[0]!; // a refused catalogue has at least one problem
  const where = path === '' ? `line ${line}` : `line ${line}, ${path}`;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more: charter catalogue check ${file})` : '';
  return `The catalogue ${file} cannot be used: ${where}: ${message}${more}.`;
}
