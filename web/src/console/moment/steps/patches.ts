import type { Step } from '@charter/client';

type Line = Step['document'][number];
/** A JSON object whose fields are compared and replaced. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Applies the lines of a patch to a JSON object. @throws Error if the path of a line does not exist in the object */
export function patched(document: JsonObject, lines: readonly Line[]): JsonObject {
  const copy = createCopy(document);
  for (const { op, path, value } of lines) copy.change(namesIn(path), op === 'remove' ? undefined : { value });
  return copy.end();
}

/**
 * Undoes the lines of a patch: computes the JSON object before the change from the object after the change.
 * @throws Error if the path of a line does not exist in the object
 */
export function unpatched(document: JsonObject, lines: readonly Line[]): JsonObject {
  const copy = createCopy(document);
  for (const { op, path, before } of lines.toReversed())
    copy.change(namesIn(path), op === 'add' ? undefined : { value: before });
  return copy.end();
}

const namesIn = (path: string) =>
  path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/**
 * A copy of a JSON object whose values at some paths can be changed. Unchanged inner objects stay the same objects, so
 * that a page renders only changed parts again. A changed inner object is copied once, even if several lines change it.
 */
function createCopy(document: JsonObject) {
  const copies = new WeakSet<object>();
  const copied = (value: unknown): Record<string, unknown> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw misfit();
    if (copies.has(value)) return value as Record<string, unknown>;
    const copy = { ...value };
    copies.add(copy);
    return copy;
  };
  let root: JsonObject = document;

  return {
    /** Sets the value at a path; without a value, removes the field. */
    change: (names: readonly string[], next: { value: unknown } | undefined): void => {
      const last = names.at(-1);
      if (last === undefined) throw misfit();
      let object = copied(root);
      root = object;
      for (const name of names.slice(0, -1)) {
        if (!Object.hasOwn(object, name)) throw misfit();
        const inner = copied(object[name]);
        define(object, name, inner);
        object = inner;
      }
      if (next) define(object, last, next.value);
      else if (!Object.hasOwn(object, last)) throw misfit();
      else Reflect.deleteProperty(object, last);
    },
    end: () => root,
  };
}

const misfit = () => new Error('The line does not fit.');

/** Defines a field of the object itself, even for names such as `__proto__`. */
const define = (object: object, name: string, value: unknown) =>
  Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
