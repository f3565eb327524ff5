const KEY = 'charter-last-organizations';
const KEPT = 5;

/** The ids of the last visited organizations in local storage, the latest first. Some browsers lack local storage. */
export const lastOrganizations = {
  all: (): readonly string[] => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
      return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
    } catch {
      return [];
    }
  },
  add: (id: string): void => {
    try {
      const others = lastOrganizations.all().filter((one) => one !== id);
      localStorage.setItem(KEY, JSON.stringify([id, ...others].slice(0, KEPT)));
    } catch {
      // Without local storage, the lists do not show the last visited organizations first.
    }
  },
};

/** Orders organizations by their last visit; organizations without a recent visit come last, in their given order. */
export function byLastVisit<One extends Readonly<{ id: string }>>(organizations: readonly One[]): readonly One[] {
  const last = lastOrganizations.all();
  const place = ({ id }: One) => (last.includes(id) ? last.indexOf(id) : KEPT);
  return [...organizations].sort((a, b) => place(a) - place(b));
}
