import ts from 'typescript';
import { isCode, type SourceFile } from './files';

/**
 * Text that people read. The text keeps its line breaks, so that the line of each sentence can be counted from `line`.
 */
export type Prose = Readonly<{ kind: 'comment' | 'title' | 'message' | 'doc' | 'heading'; line: number; text: string }>;

/** Separates sentences that do not end with a full stop: list items, table cells and JSDoc tags. */
const BREAK = '¶';

type Literal = Readonly<{ start: number; end: number; text: string; title: boolean }>;

const known = new WeakMap<SourceFile, readonly Prose[]>();

/** The comments, test titles and messages of a file, or the paragraphs of a page. Parses each file once. */
export function proseOf(file: SourceFile): readonly Prose[] {
  const prose = known.get(file) ?? read(file);
  known.set(file, prose);
  return prose;
}

function read({ path, text }: SourceFile): readonly Prose[] {
  if (path.endsWith('.md')) return docsOf(text);
  if (path.endsWith('.po')) return linesOf(text, /^(?:#\.|msgstr) +"?(.*?)"?$/, 'message');
  if (path.endsWith('.css')) return commentsIn(text);
  if (!isCode(path)) return linesOf(text, /(?:^|\s)#(?!!) ?(.*)$/, 'comment');
  const literals = literalsOf(path, text);
  return [
    ...commentsIn(withoutLiterals(text, literals)),
    ...literals.filter(isSentence).map((each) => spoken(text, each)),
  ];
}

/** The comments of a source file, each with the line on which it starts. */
export const commentsOf = (file: SourceFile): readonly Prose[] =>
  proseOf(file).filter(({ kind }) => kind === 'comment');

function commentsIn(code: string): readonly Prose[] {
  const blocks = /\/\*[\s\S]*?\*\/|\/\/.*(?:\n[ \t]*\/\/.*)*/g;
  return [...code.matchAll(blocks)].map((match) => ({
    kind: 'comment' as const,
    line: lineAt(code, match.index),
    text: match[0]
      .replace(/^\/\*+|\*+\/$/g, '')
      .replace(/^[ \t]*(\/\/+|\*)/gm, '')
      .replace(/@(?:param|template) \w+|@(?:returns|throws|example)\b/g, BREAK)
      .replace(/^[ \t]*(-|\d+\.) /gm, BREAK),
  }));
}

/**
 * The strings, templates, regular expressions and JSX texts of a file. In these literals `//` does not start a comment.
 */
function literalsOf(path: string, text: string): readonly Literal[] {
  const kind = /\.tsx$/.test(path) ? ts.ScriptKind.TSX : /js$/.test(path) ? ts.ScriptKind.JSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind);
  const found: Literal[] = [];
  const visit = (node: ts.Node, title: boolean): void => {
    const start = ts.isJsxText(node) ? node.pos : node.getStart(source);
    const add = (words: string) => found.push({ start, end: node.end, text: words, title });
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) add(node.text);
    else if (ts.isRegularExpressionLiteral(node)) add('');
    else if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) add(node.text);
    else if (ts.isCallExpression(node) && isTestCall(node)) {
      node.arguments.forEach((argument, at) => visit(argument, at === 0));
      visit(node.expression, false);
    } else ts.forEachChild(node, (child) => visit(child, title && ts.isTemplateExpression(node)));
  };
  visit(source, false);
  return found.sort((one, other) => one.start - other.start);
}

/** Whether the call is a test: `it(…)`, `describe.each(…)(…)`, or `test.each` with a template. */
function isTestCall({ expression }: ts.CallExpression): boolean {
  if (ts.isCallExpression(expression)) return isTestCall(expression);
  if (ts.isTaggedTemplateExpression(expression)) return isTestName(expression.tag);
  return isTestName(expression);
}

const isTestName = (node: ts.Expression): boolean =>
  ts.isIdentifier(node)
    ? /^(it|test|describe)$/.test(node.text)
    : ts.isPropertyAccessExpression(node) && isTestName(node.expression);

function withoutLiterals(text: string, literals: readonly Literal[]): string {
  let code = '';
  for (const { start, end } of literals) {
    if (start < code.length) continue;
    code += text.slice(code.length, start) + text.slice(start, end).replace(/[^\n]/g, '_');
  }
  return code + text.slice(code.length);
}

/** Whether the text has at least three words in a row, or is a test title. */
const isSentence = ({ text, title }: Literal) => title || /[a-z]{2,}[,;:]? [a-z'’]+[,;:]? [a-z'’]+/i.test(text);

const spoken = (text: string, literal: Literal): Prose => ({
  kind: literal.title ? 'title' : 'message',
  line: lineAt(text, literal.start),
  text: literal.text,
});

function docsOf(text: string): readonly Prose[] {
  const blank = (code: string) => code.replace(/[^\n]/g, '');
  const words = text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, blank).replace(/<!--[\s\S]*?-->/g, blank);
  const headings = [...words.matchAll(/^#+ (.*)$/gm)].map((match) => ({
    kind: 'heading' as const,
    line: lineAt(words, match.index),
    text: match[1] ?? '',
  }));
  const paragraphs = words.replace(/^#+ .*$/gm, BREAK).replace(/^[ \t>]*([-*]|\d+\.) |\|/gm, BREAK);
  return [{ kind: 'doc', line: 1, text: paragraphs }, ...headings];
}

function linesOf(text: string, pattern: RegExp, kind: Prose['kind']): readonly Prose[] {
  return text.split('\n').flatMap((line, at) => {
    const words = pattern.exec(line)?.[1];
    return words ? [{ kind, line: at + 1, text: words }] : [];
  });
}

/** A sentence (`text`), and the same sentence without the code in backticks (`words`). */
export type Sentence = Readonly<{ line: number; text: string; words: string }>;

/** The sentences of some prose, each with the line on which it starts. */
export function sentencesOf({ text, line }: Prose): readonly Sentence[] {
  const masked = text.replace(/`[^`]*`/g, (code) => code.replace(/[^\n]/g, '_'));
  const parts = masked.matchAll(/(?:[^.?!¶\n]|[.?!](?!['")*_]*(?:\s|$|¶))|\n(?!\s*\n))+[.?!]*/g);
  return [...parts].map((match) => {
    const start = match.index + (/^['")*_\s]*/.exec(match[0])?.[0] ?? '').length;
    const end = match.index + match[0].length;
    const joined = (words: string) => words.slice(start, end).replace(/\s+/g, ' ').trim();
    return { line: line + lineAt(text, start) - 1, text: joined(text), words: joined(masked) };
  });
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
