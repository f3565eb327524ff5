import type { CatalogueFile } from './file';

/** The product for each position in `PLAN_PROVIDER_IDS`, from 0 on (`decisions.md` 14). Position 2 has no product. */
const products = [
  ['plans', 'first/essential'],
  ['plans', 'first/professional'],
  undefined,
  ['addOns', 'additionalContentSection'],
] as const;

/**
 * The catalogue's file after the provider ids from the setting have replaced ids of the file. An empty position in the
 * setting replaces nothing.
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
