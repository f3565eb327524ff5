import type { CatalogueFile } from './file';

/** What the places of `PLAN_PROVIDER_IDS` name (`decisions.md` 14); place 2 is not used. */
const places = [
  ['plans', 'first/essential'],
  ['plans', 'first/professional'],
  undefined,
  ['addOns', 'additionalContentSection'],
] as const;

/** The file with the ids of the setting in it: they stand above the file's own. An empty place changes nothing. */
export function withProviderIds(file: CatalogueFile, ids: readonly string[]): CatalogueFile {
  const changed = { ...file, plans: { ...file.plans }, addOns: { ...file.addOns } };
  places.forEach((place, index) => {
    const providerId = ids[index]?.trim();
    if (!place || !providerId) return;
    const [kind, name] = place;
    const entries: Record<string, { providerId?: string | undefined }> = changed[kind];
    if (Object.hasOwn(entries, name)) entries[name] = { ...entries[name], providerId };
  });
  return changed;
}
