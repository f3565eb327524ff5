import { useEffect, useState } from 'react';

const listeners = new Set<() => void>();

/** Announces that a control has stopped repeating the request of a change (`pending-changes.ts`). */
export const releases = {
  announce(): void {
    for (const listener of listeners) listener();
  },
  listen(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

/**
 * Whether this tab had a change with an unknown outcome when the page opened, or a control has released such a change
 * since.
 */
export function useHasPendingChanges(): boolean {
  const [has, setHas] = useState(hasPendingChanges);
  useEffect(() => releases.listen(() => setHas(true)), []);
  return has;
}

function hasPendingChanges(): boolean {
  try {
    return Object.keys(sessionStorage).some((name) => name.startsWith('charter-pending-changes'));
  } catch {
    return false;
  }
}
