import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInCatalogue } from '@charter/catalogue';

type Entries = Record<string, { linkedProductIds: string[] }>;

/**
 * Writes a catalogue in which each plan and add-on contains the id of a price of the payment provider, for example
 * `price_second_solo` or `price_additionalUser`.
 * @returns the path of the file
 */
export function pricedCatalogue(folder: string): string {
  const file = JSON.parse(readFileSync(builtInCatalogue, 'utf8')) as { plans: Entries; addOns: Entries };
  for (const entries of [file.plans, file.addOns])
    for (const [name, entry] of Object.entries(entries)) entry.linkedProductIds.push(`price_${name.replace('/', '_')}`);
  const path = join(folder, 'priced-catalogue.json');
  writeFileSync(path, JSON.stringify(file));
  return path;
}
