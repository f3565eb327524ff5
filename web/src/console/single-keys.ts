const KEY = 'charter-single-keys';
const OFF = 'off';
let isOn = storedChoice();
const listeners = new Set<() => void>();

/**
 * Whether keys without Ctrl act on the pages. The browser stores this choice. A browser without local storage has the
 * choice until the page is closed.
 */
export const singleKeys = {
  areOn: (): boolean => isOn,
  choose: (next: boolean): void => {
    isOn = next;
    try {
      if (next) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, OFF);
    } catch {
      // the choice ends with the page
    }
    for (const changed of listeners) changed();
  },
  listen: (changed: () => void) => {
    listeners.add(changed);
    return () => void listeners.delete(changed);
  },
};

function storedChoice(): boolean {
  try {
    return localStorage.getItem(KEY) !== OFF;
  } catch {
    return true;
  }
}
