import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { z } from 'zod';
import { contradictions, type Finding } from './contradictions';
import { CatalogueFile } from './file';
import { withProviderIds } from './provider-ids';

/** A problem in a catalogue's file. `line` and `column` count from 1. */
export interface CatalogueProblem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/**
 * Returns all problems in a catalogue's text, in the order of the text; empty if Charter can use the catalogue. Never
 * throws.
 * @param planProviderIds the values in the setting `PLAN_PROVIDER_IDS`
 */
export function checkCatalogue(text: string, planProviderIds: readonly string[] = []): readonly CatalogueProblem[] {
  const read = readCatalogue(text, planProviderIds);
  return 'problems' in read ? read.problems : [];
}

/**
 * Reads the catalogue in a text, and adds the provider ids of the setting `PLAN_PROVIDER_IDS`. Returns the problems if
 * the text has any.
 */
export function readCatalogue(
  text: string,
  planProviderIds: readonly string[] = [],
): { file: CatalogueFile } | { problems: readonly CatalogueProblem[] } {
  if (isTooDeep(text)) return { problems: [{ path: '', line: 1, column: 1, message: 'is nested too deeply' }] };
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true })!; // JSON without an error has a syntax tree
  if (errors[0]) return { problems: [notJson(text, errors[0])] };

  const { data: file, error } = CatalogueFile.transform((sold) => withProviderIds(sold, planProviderIds)).safeParse(
    JSON.parse(text),
  );
  const found = [...oddKeys(tree), ...(file ? contradictions(file) : error.issues.flatMap(findingsOf))];
  return file && found.length === 0 ? { file } : { problems: placed(text, tree, found) };
}

/**
 * Whether a text has more than 100 levels of nesting, because the recursive functions below would then exceed the
 * stack. A catalogue has six levels.
 */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[{\]}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > 100) return true;
  }
  return false;
}

/** Finds keys that JSON.parse drops without an error: repeated keys, and `__proto__`. */
function oddKeys(node: Node, path: readonly PropertyKey[] = []): Finding[] {
  if (node.type === 'array') return (node.children ?? []).flatMap((child, index) => oddKeys(child, [...path, index]));
  if (node.type !== 'object') return [];
  const seen = new Set<string>();
  return (node.children ?? []).flatMap(({ children }) => {
    // A property in JSON without errors has a key and a value.
    const [{ value: key }, value] = children as [{ value: string }, Node];
    const message = key === '__proto__' ? 'is not a name' : seen.has(key) ? 'appears twice' : undefined;
    seen.add(key);
    return [...(message ? [{ path: [...path, key], message }] : []), ...oddKeys(value, [...path, key])];
  });
}

/** Turns one issue that Zod reports into findings with Charter's messages. */
function findingsOf(issue: z.core.$ZodIssue): Finding[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: 'is not a field of a catalogue' }));
  }
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, message }));
  return [{ path, message: issue.message.replace(/^.*received undefined$/, 'is missing') }];
}

/** Adds the line and the column to each finding, and sorts the findings in the order of the text. */
function placed(text: string, tree: Node, findings: readonly Finding[]): CatalogueProblem[] {
  const [nodeAt, positionOf] = [nodeFinder(tree), positionsIn(text)];
  return findings
    .map(({ path, message }) => ({ path: path.map(String).join('.'), ...positionOf(nodeAt(path).offset), message }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

/**
 * Returns a function that finds the value at a path, or the innermost value on the way to the path. For example, the
 * place of a missing field is the entry that lacks the field. The function indexes each object once, because a hostile
 * text can have many thousand keys, and a finding for each key.
 */
function nodeFinder(tree: Node): (path: readonly PropertyKey[]) => Node {
  const indexes = new Map<Node, ReadonlyMap<string, Node>>();
  const indexOf = (node: Node) => {
    const known = indexes.get(node) ?? fieldsOf(node);
    indexes.set(node, known);
    return known;
  };
  return (path) => {
    let node = tree;
    for (const key of path) {
      const inner = node.type === 'array' ? node.children?.[Number(key)] : indexOf(node).get(String(key));
      if (!inner) return node;
      node = inner;
    }
    return node;
  };
}

/** The values of an object by their keys. Of a repeated key, the first value counts. */
function fieldsOf({ type, children = [] }: Node): ReadonlyMap<string, Node> {
  const fields = new Map<string, Node>();
  for (const property of type === 'object' ? children : []) {
    // A property in JSON without errors has a key and a value.
    const [{ value: key }, value] = property.children as [{ value: string }, Node];
    if (!fields.has(key)) fields.set(key, value);
  }
  return fields;
}

function notJson(text: string, { error, offset }: ParseError): CatalogueProblem {
  const what = printParseErrorCode(error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return { path: '', ...positionsIn(text)(offset), message: `is not JSON: ${what}` };
}

/** Returns a function that computes the line and the column of an offset, without reading the text again. */
function positionsIn(text: string): (offset: number) => Readonly<{ line: number; column: number }> {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return (offset) => {
    let [line, end] = [1, starts.length];
    while (line < end) {
      const middle = Math.ceil((line + end) / 2);
      if (starts[middle - 1]! <= offset) line = middle;
      else end = middle - 1;
    }
    return { line, column: offset - starts[line - 1]! + 1 };
  };
}
