const KEY = 'charter-last-organization';

/** The id of the last visited organization, in local storage. Some browsers have no local storage. */
export const lastOrganization = {
  get: (): string | null => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  },
  set: (id: string): void => {
    try {
      localStorage.setItem(KEY, id);
    } catch {
      // Without local storage, the list does not show the last visited organization first.
    }
  },
};
