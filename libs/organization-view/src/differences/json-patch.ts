import type { Immutable } from '@charter/decider';
import { createPatch, type Pointer } from 'rfc6902';
import { z } from 'zod';
import { namesIn, valueAt } from './json-pointer';

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
  return createPatch(before, after, whole).map((operation) => {
    const { op, path } = operation as Pick<PatchLine, 'op' | 'path'>;
    const previous: unknown = op === 'add' ? undefined : valueAt(namesIn(path), before);
    return {
      ...{ op, path },
      ...('value' in operation && { value: operation.value as object }),
      ...(previous !== undefined && { before: previous as object }),
    };
  });
}
