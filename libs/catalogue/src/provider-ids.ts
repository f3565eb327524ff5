import type { CatalogueFile } from './file';

/**
 * The product for each position in `PLAN_PROVIDER_IDS`; the first position is 0 (`decisions.md` 14). Position 2 has no
 * product.
 */
const products = [
  ['plans', 'first/essential'],
  ['plans', 'first/professional'],
  undefined,
  ['addOns', 'additionalContentSection'],
] as const;

/**
 * Returns the catalogue's file with the provider ids of the setting instead of the ids in the file. An empty position
 * in the setting replaces no id.
 */
export function withProviderIds(file: CatalogueFile, ids: readonly string[]): CatalogueFile {
  const changed = { ...file, plans: { ...file.plans }, addOns: { ...file.addOns } };
  products.forEach((product, index) => {
    const providerId = ids[index]?.trim();
    if (!product || !providerId) return;
    const [kind, name] = product;
    const entries: Record<string, { providerId?: string | undefined }> = changed[kind];
    if (Object.hasOwn(entries, name)) entries[name] = { ...entries[name], providerId };
  });
  return changed;
}
