/**
 * A key that an action of the search dialog has pressed for the person, on a page that may still load. The first
 * control of that page which has this key takes it. The next press of the person cancels it.
 */
let asked: Readonly<{ path: string; key: string }> | undefined;

const cancel = () => {
  asked = undefined;
};

/** Presses the key on the page at this path as soon as a control of the page has the key. */
export function askForKey(path: string, key: string): void {
  asked = { path, key };
  for (const press of ['keydown', 'pointerdown']) window.addEventListener(press, cancel, { once: true, capture: true });
}

/** Whether an action has asked for the key on the page at this path. The key is taken then. */
export function takeAskedKey(path: string, key: string): boolean {
  if (asked?.key !== key || asked.path !== path) return false;
  cancel();
  return true;
}
