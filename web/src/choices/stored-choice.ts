/** A choice of the person, such as the colour theme, which the browser stores. */
export type StoredChoice<Value extends string> = Readonly<{
  current: () => Value;
  choose: (next: Value) => void;
  listen: (changed: () => void) => () => void;
}>;

/**
 * Reads a choice from local storage. The first value is the default, which the browser does not store. Without local
 * storage, the choice lasts until the page is closed.
 * @param isValue whether a stored text is a value of this choice
 */
export function createStoredChoice<const Value extends string>(
  key: string,
  values: readonly [Value, ...Value[]],
  isValue = (text: string): text is Value => values.some((one) => one === text),
): StoredChoice<Value> {
  const [usual] = values;
  const known = stored(key);
  let chosen = known !== null && isValue(known) ? known : usual;
  const listeners = new Set<() => void>();
  return {
    current: () => chosen,
    choose: (next) => {
      chosen = next;
      try {
        if (next === usual) localStorage.removeItem(key);
        else localStorage.setItem(key, next);
      } catch {
        // without local storage, the choice is lost when the page closes
      }
      for (const changed of listeners) changed();
    },
    listen: (changed) => {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
  };
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
