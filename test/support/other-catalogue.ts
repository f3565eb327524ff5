import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInCatalogue } from '@charter/catalogue';

/**
 * The parsed file of the product catalogue, without a precise type, because each spec knows the fields that it changes.
 */
type CatalogueFile = ReturnType<typeof JSON.parse>;

/** Writes the built-in catalogue with changes into a folder. Returns the setting that makes a process use this file. */
export function otherCatalogue(folder: string, change: (file: CatalogueFile) => void) {
  const file = JSON.parse(readFileSync(builtInCatalogue, 'utf8'));
  change(file);
  const CATALOGUE_FILE = join(folder, 'other-catalogue.json');
  writeFileSync(CATALOGUE_FILE, JSON.stringify(file));
  return { CATALOGUE_FILE };
}
