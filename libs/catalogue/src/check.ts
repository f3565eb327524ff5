import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
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

/** All problems in a catalogue's text; empty if Charter can use the catalogue. Never throws. */
export function checkCatalogue(text: string): readonly CatalogueProblem[] {
  const read = readCatalogue(text);
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
 * Whether a text has more than 100 levels, because the recursive functions below would then exceed the stack. A
 * catalogue has six levels.
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
const placed = (text: string, tree: Node, findings: readonly Finding[]): CatalogueProblem[] =>
  findings.map((finding) => locate(text, tree, finding)).sort((a, b) => a.line - b.line || a.column - b.column);

/**
 * Finds the line and column of a finding. The place of a missing field is the place of the entry that lacks the field.
 */
function locate(text: string, tree: Node, { path, message }: Finding): CatalogueProblem {
  const keys = path.map((key) => (typeof key === 'number' ? key : String(key)));
  let depth = keys.length;
  let node = findNodeAtLocation(tree, keys);
  while (!node && depth > 0) node = findNodeAtLocation(tree, keys.slice(0, --depth));
  return { path: keys.join('.'), ...positionOf(text, (node ?? tree).offset), message };
}

function notJson(text: string, { error, offset }: ParseError): CatalogueProblem {
  const what = printParseErrorCode(error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return { path: '', ...positionOf(text, offset), message: `is not JSON: ${what}` };
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
