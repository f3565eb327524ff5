import type { HeldOrganization, HeldOrganizations } from './charter-organization.js';

/**
 * Holds organizations. If there are more than `most`, the organizations leave that were not used for the longest time,
 * unless a subscriber or a request waits for their changes. Each use has a number. A use must be fast and must allocate
 * nothing, because each call of `can` is a use.
 */
export function heldOrganizations(
  most: number,
  take: (id: string) => HeldOrganization,
  drop: (held: HeldOrganization) => void,
): HeldOrganizations {
  const byId = new Map<string, HeldOrganization>();
  let newest: HeldOrganization | undefined;
  let uses = 0;

  const used = (held: HeldOrganization): HeldOrganization => {
    if (held === newest) return held;
    if (held.isDropped) return of(held.store.id);
    held.lastUse = uses += 1;
    return (newest = held);
  };
  const of = (id: string): HeldOrganization => {
    const held = byId.get(id) ?? take(id);
    byId.set(id, held);
    used(held);
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
  return { all: () => [...byId.values()], of, used };
}
