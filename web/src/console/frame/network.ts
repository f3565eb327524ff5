export const isOnline = (): boolean => navigator.onLine;

/** Calls the listener when the browser goes online or offline, until the returned function is called. */
export function onNetwork(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}
