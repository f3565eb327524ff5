const KEY = 'charter-last-organizations';
const KEPT = 5;

type Visited = Readonly<{ id: string; name: string }>;
type Stored = Readonly<{ account: string; visited: readonly Visited[] }>;

/**
 * The last organizations that an account has visited, the latest first. Local storage contains only the organizations
 * of the last account, because another person who uses the browser must not see their names. Some browsers lack local
 * storage.
 */
export const lastOrganizations = {
  of: (account: string): readonly Visited[] => {
    try {
      const stored = JSON.parse(localStorage.getItem(KEY) ?? '') as Stored;
      return stored.account === account ? stored.visited : [];
    } catch {
      return [];
    }
  },
  add: (account: string, { id, name }: Visited): void => {
    try {
      const others = lastOrganizations.of(account).filter((one) => one.id !== id);
      const visited = [{ id, name }, ...others].slice(0, KEPT);
      localStorage.setItem(KEY, JSON.stringify({ account, visited }));
    } catch {
      // Without local storage, the lists do not show the last visited organizations first.
    }
  },
};

/** Puts the last visited organizations before a list, even if the list does not contain these organizations yet. */
export function afterLastVisited(account: string, organizations: readonly Visited[]): readonly Visited[] {
  const listed = new Map(organizations.map((one) => [one.id, one]));
  const last = lastOrganizations.of(account).map((one) => listed.get(one.id) ?? one);
  return [...last, ...organizations.filter(({ id }) => !last.some((one) => one.id === id))];
}

/** Orders organizations by their last visit; organizations without a recent visit come last, in their given order. */
export function byLastVisit<One extends Readonly<{ id: string }>>(
  account: string,
  organizations: readonly One[],
): readonly One[] {
  const places = new Map(lastOrganizations.of(account).map(({ id }, place) => [id, place]));
  const place = ({ id }: One) => places.get(id) ?? KEPT;
  return [...organizations].sort((a, b) => place(a) - place(b));
}
