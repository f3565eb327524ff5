import type { HeldOrganization, HeldOrganizations } from './charter-organization.js';

/**
 * Holds at most `most` organizations, and drops the least recently used organizations first. It does not drop an
 * organization while a subscriber or a request waits for its changes. Each use has a number. A use must be fast and
 * must allocate nothing, because each call of `can` is a use.
 */
export function heldOrganizations(
  most: number,
  take: (id: string) => HeldOrganization,
  drop: (held: HeldOrganization) => void,
): HeldOrganizations {
  const byId = new Map<string, HeldOrganization>();
  let newest: HeldOrganization | undefined;
  let uses = 0;

  const use = (held: HeldOrganization): HeldOrganization => {
    if (held === newest) return held;
    if (held.isDropped) return of(held.store.id);
    held.lastUse = uses += 1;
    return (newest = held);
  };
  const of = (id: string): HeldOrganization => {
    const held = byId.get(id) ?? take(id);
    byId.set(id, held);
    use(held);
    while (byId.size > most) {
      let oldest: HeldOrganization | undefined;
      for (const each of byId.values())
        if (each !== held && !each.store.isObserved && each.lastUse < (oldest?.lastUse ?? Infinity)) oldest = each;
      if (!oldest) break;
      oldest.isDropped = true;
      byId.delete(oldest.store.id);
      drop(oldest);
    }
    return held;
  };
  return { all: () => [...byId.values()], of, use };
}
