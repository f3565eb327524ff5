import { useEffect, useState } from 'react';

const listeners = new Set<() => void>();

/** The moments at which a control stops the repetition of a change (`pending-changes.ts`). */
export const releases = {
  announce(): void {
    for (const listener of listeners) listener();
  },
  listen(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

/** Whether this tab had a change with an open outcome when the page opened, or a control has released one since. */
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
