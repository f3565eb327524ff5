const KEY = 'charter-last-organizations';
const KEPT = 5;

type Visited = Readonly<{ id: string; name: string }>;

/**
 * The last organizations that an account has visited, the latest first. Local storage contains them only for the last
 * account, because another person who uses the browser must not see their names. Some browsers lack local storage.
 */
export const lastOrganizations = {
  of: (account: string): readonly Visited[] => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
      return isOf(account, stored) ? stored.visited.filter(isVisited) : [];
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

type Stored = Readonly<{ account: string; visited: readonly unknown[] }>;

const isOf = (account: string, stored: unknown): stored is Stored =>
  typeof stored === 'object' &&
  stored !== null &&
  (stored as Partial<Stored>).account === account &&
  Array.isArray((stored as Partial<Stored>).visited);

const isVisited = (one: unknown): one is Visited =>
  typeof one === 'object' &&
  one !== null &&
  typeof (one as Partial<Visited>).id === 'string' &&
  typeof (one as Partial<Visited>).name === 'string';

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
  const last = lastOrganizations.of(account).map(({ id }) => id);
  const place = ({ id }: One) => (last.includes(id) ? last.indexOf(id) : KEPT);
  return [...organizations].sort((a, b) => place(a) - place(b));
}
