import type { PatchLine } from './differences/json-patch';
import { namesIn } from './differences/json-pointer';

type Lines = readonly PatchLine[];
type Json = Readonly<Record<string, unknown>>;

/**
 * Applies the operations of a JSON Patch to a JSON object. Unlike a library, this function accepts field names such as
 * `constructor`, which can be the id of a purchase.
 * @throws Error if an operation does not fit the object
 */
export const applied = (document: object, lines: Lines): object =>
  lines.reduce((current, line) => changed(current as Json, namesIn(line.path), line), document);

/** Returns the operations that undo the given operations. */
export const reversed = (lines: Lines): Lines =>
  [...lines].reverse().map(({ op, path, value, before }) => {
    if (op === 'add') return { op: 'remove', path, before: value } as PatchLine;
    return {
      op: op === 'remove' ? 'add' : op,
      path,
      value: before,
      ...(op === 'replace' && { before: value }),
    } as PatchLine;
  });

function changed(document: Json, [name, ...inner]: readonly string[], line: PatchLine): Json {
  if (name === undefined) throw new Error('A line must name a field.');
  const isThere = Object.hasOwn(document, name);
  if (isThere === (line.op === 'add' && inner.length === 0)) throw new Error(`${line.op} does not fit: ${line.path}`);
  if (inner.length > 0) return { ...document, [name]: changed(document[name] as Json, inner, line) };
  if (line.op !== 'add' && JSON.stringify(document[name]) !== JSON.stringify(line.before))
    throw new Error(`The previous value differs: ${line.path}`);
  if (line.op !== 'remove') return { ...document, [name]: line.value };
  return Object.fromEntries(Object.entries(document).filter(([field]) => field !== name));
}
