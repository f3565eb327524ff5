/** Runs work in a pause of the browser, at the latest after two seconds. Some browsers do not report their pauses. */
export const whenIdle = (work: () => void): void => {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 2_000 });
  else setTimeout(work, 200);
};
