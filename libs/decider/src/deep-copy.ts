/**
 * Copies plain objects, arrays and primitive values. States and events contain nothing else. An object that occurs
 * twice is copied twice. `structuredClone` needs about three to five times as long, and each batch of commands copies a
 * state.
 */
export function deepCopy<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => deepCopy(item)) as Value;
  const copy: Record<string, unknown> = {};
  for (const key in value) {
    if (key === '__proto__') defineField(copy, key, deepCopy(value[key]));
    else copy[key] = deepCopy(value[key]);
  }
  return copy as Value;
}

/** An assignment to `__proto__` would change the prototype of the object. */
const defineField = (object: object, key: string, value: unknown) =>
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
