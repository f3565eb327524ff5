import type { OrganizationDraft } from './state';
import type { List } from './terms';

/** Puts an entry into a list and updates the list's size. */
export function put<L extends List>(
  draft: OrganizationDraft,
  list: L,
  id: string,
  entry: OrganizationDraft[L][string],
) {
  if (!Object.hasOwn(draft[list], id)) draft.sizes[list] += 1;
  draft[list][id] = entry;
}

/** Removes an entry from a list and updates the list's size. */
export function drop(draft: OrganizationDraft, list: List, id: string) {
  if (Object.hasOwn(draft[list], id)) draft.sizes[list] -= 1;
  delete draft[list][id];
}
