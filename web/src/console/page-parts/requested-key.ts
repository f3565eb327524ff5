/**
 * A key press that an action of the search dialog has requested on a page that may still be loading. The first control
 * of this page with the key handles the key press. The person's next key press or pointer press cancels it.
 */
let requested: Readonly<{ path: string; key: string }> | undefined;

const cancel = () => {
  requested = undefined;
};

/** Presses the key on the page at this path as soon as a control of the page has the key. */
export function requestKeyPress(path: string, key: string): void {
  requested = { path, key };
  for (const press of ['keydown', 'pointerdown']) window.addEventListener(press, cancel, { once: true, capture: true });
}

/** Returns whether an action has requested this key on the page at this path. If so, removes the request. */
export function takeKeyPress(path: string, key: string): boolean {
  if (requested?.key !== key || requested.path !== path) return false;
  cancel();
  return true;
}
