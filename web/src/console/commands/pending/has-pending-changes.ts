import { useEffect, useState } from 'react';

/** Makes an announcer: `announce` calls all listeners. */
const createAnnouncer = () => {
  const listeners = new Set<() => void>();
  return {
    announce(): void {
      for (const listener of listeners) listener();
    },
    listen(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

/** Announces that a control has stopped repeating the request of a change (`pending-changes.ts`). */
export const releases = createAnnouncer();

/** Announces that the outcome of a change is known. */
export const outcomes = createAnnouncer();

/**
 * Whether this tab had a change with an unknown outcome when the page opened, or a control has released such a change
 * since.
 */
export function useHasPendingChanges(): boolean {
  const [has, setHas] = useState(() => hasPendingChanges());
  useEffect(() => releases.listen(() => setHas(true)), []);
  return has;
}

/**
 * Whether this tab has a change with an unknown outcome.
 * @param place counts only the changes of this place, such as ` ACCOUNT ORGANIZATION`
 * @param part counts only the stored changes that contain this text
 */
export function hasPendingChanges(place = '', part = ''): boolean {
  try {
    return Object.entries(sessionStorage).some(
      ([name, changes]) => name.startsWith(`charter-pending-changes${place}`) && String(changes).includes(part),
    );
  } catch {
    return false;
  }
}
