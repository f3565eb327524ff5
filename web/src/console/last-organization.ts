const KEY = 'charter-last-organization';

/** The organization that was looked at last: its id, which says nothing about anyone. A browser may keep nothing at all. */
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
      // Then the list begins with another one.
    }
  },
};
