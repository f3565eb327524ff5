import type { Immutable } from '@charter/decider';
import { createPatch, type Pointer } from 'rfc6902';
import { z } from 'zod';
import { namesIn, pointerOf, valueAt } from './json-pointer';

export const patchFields = {
  op: z.enum(['add', 'remove', 'replace']),
  path: z.string(),
  value: z.unknown().exactOptional(),
  before: z.unknown().exactOptional(),
};

/** An operation of JSON Patch (RFC 6902). Every `remove` and `replace` contains the previous value as `before`. */
export const PatchLine = z.strictObject(patchFields).meta({ id: 'PatchLine' });
export type PatchLine = Immutable<z.infer<typeof PatchLine>>;

/**
 * The operations that change one JSON object into another. No operation names an element of an array: a changed array
 * is replaced as a whole.
 * @param isWhole whether the value at a path is replaced as a whole, even if only a part of it differs
 */
export function patchBetween(
  before: object,
  after: object,
  isWhole: (path: string) => boolean = () => false,
): readonly PatchLine[] {
  const whole = (input: unknown, output: unknown, at: Pointer) => {
    if (!Array.isArray(input) && !Array.isArray(output) && !isWhole(at.toString())) return undefined;
    if (JSON.stringify(input) === JSON.stringify(output)) return [];
    return [{ op: 'replace' as const, path: at.toString(), value: output }];
  };
  return createPatch(...differingFields(before, after, isWhole), whole).map((operation) => {
    const { op, path } = operation as Pick<PatchLine, 'op' | 'path'>;
    const previous: unknown = op === 'add' ? undefined : valueAt(namesIn(path), before);
    return {
      ...{ op, path },
      ...('value' in operation && { value: operation.value as object }),
      ...(previous !== undefined && { before: previous as object }),
    };
  });
}

/**
 * The two objects with only the fields that differ, down to two levels. `createPatch` takes far more time than a
 * comparison of texts, and most fields of two successive documents are equal.
 */
function differingFields(
  before: object,
  after: object,
  isWhole: (path: string) => boolean,
  names: readonly string[] = [],
): [object, object] {
  const [old, next]: [string, unknown][][] = [[], []];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [one, other] = [before, after].map((of) => valueAt([name], of));
    if (JSON.stringify(one) === JSON.stringify(other)) continue;
    const path = [...names, name];
    const isDivided = names.length < 2 && isObject(one) && isObject(other) && !isWhole(pointerOf(path));
    const [oldValue, nextValue] = isDivided ? differingFields(one, other, isWhole, path) : [one, other];
    if (Object.hasOwn(before, name)) old!.push([name, oldValue]);
    if (Object.hasOwn(after, name)) next!.push([name, nextValue]);
  }
  // unlike an assignment, `fromEntries` also creates a field with the name `__proto__`
  return [Object.fromEntries(old!), Object.fromEntries(next!)];
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
