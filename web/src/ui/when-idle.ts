/**
 * Runs work when the browser is idle, at the latest after two seconds. If the browser has no `requestIdleCallback`,
 * runs the work after 200 ms.
 */
export const whenIdle = (work: () => void): void => {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 2_000 });
  else setTimeout(work, 200);
};
