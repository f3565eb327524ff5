const KEY = 'charter-last-organizations';
const KEPT = 5;

type Visited = Readonly<{ id: string; name: string }>;

/** The last visited organizations in local storage, the latest first. Some browsers lack local storage. */
export const lastOrganizations = {
  all: (): readonly Visited[] => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isVisited) : [];
    } catch {
      return [];
    }
  },
  add: ({ id, name }: Visited): void => {
    try {
      const others = lastOrganizations.all().filter((one) => one.id !== id);
      localStorage.setItem(KEY, JSON.stringify([{ id, name }, ...others].slice(0, KEPT)));
    } catch {
      // Without local storage, the lists do not show the last visited organizations first.
    }
  },
};

const isVisited = (one: unknown): one is Visited =>
  typeof one === 'object' &&
  one !== null &&
  typeof (one as Partial<Visited>).id === 'string' &&
  typeof (one as Partial<Visited>).name === 'string';

/** Puts the last visited organizations before a list, even if the list does not contain these organizations yet. */
export function afterLastVisited(organizations: readonly Visited[]): readonly Visited[] {
  const listed = new Map(organizations.map((one) => [one.id, one]));
  const last = lastOrganizations.all().map((one) => listed.get(one.id) ?? one);
  return [...last, ...organizations.filter(({ id }) => !last.some((one) => one.id === id))];
}

/** Orders organizations by their last visit; organizations without a recent visit come last, in their given order. */
export function byLastVisit<One extends Readonly<{ id: string }>>(organizations: readonly One[]): readonly One[] {
  const last = lastOrganizations.all().map(({ id }) => id);
  const place = ({ id }: One) => (last.includes(id) ? last.indexOf(id) : KEPT);
  return [...organizations].sort((a, b) => place(a) - place(b));
}
