const KEY = 'charter-last-organization';

/** The id of the last visited organization, in local storage. Some browsers have no storage. */
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
      // Without storage the last visited organization is not the first of the list.
    }
  },
};
