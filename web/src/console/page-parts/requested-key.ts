/**
 * A key press that the search dialog simulates on a page that may still be loading. The first control of the loaded
 * page with the same keyboard shortcut handles the key press. The person's next key press or pointer press cancels it.
 */
let requested: Readonly<{ path: string; key: string }> | undefined;

const cancel = () => {
  requested = undefined;
};

/**
 * Simulates a press of the key on the page at this path, as soon as a control of the page has this keyboard shortcut.
 */
export function requestKeyPress(path: string, key: string): void {
  requested = { path, key };
  for (const press of ['keydown', 'pointerdown']) window.addEventListener(press, cancel, { once: true, capture: true });
}

/** Returns whether `requestKeyPress` has requested this key on the page at this path. If so, removes the request. */
export function takeKeyPress(path: string, key: string): boolean {
  if (requested?.key !== key || requested.path !== path) return false;
  cancel();
  return true;
}
