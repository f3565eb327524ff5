import { basename, dirname } from 'node:path';
import { isProduct, isTest, type Finding, type SourceFile } from './files';
import { commentsOf, proseOf, sentencesOf, type Prose } from './prose';

const MOST_FILES = 15;
const WIDEST_COMMENT = 120;
const LONGEST_SUBJECT = 72;

/** Folders that list things of one kind. These folders may have any number of files. */
const lists = /\/(decisions|migrations)$/;

/** Folders under a `src` that have more production files than allowed. */
export function crowdedFolders(files: readonly SourceFile[]): readonly Finding[] {
  const folders = Map.groupBy(
    files.filter(({ path }) => isProduct(path) && !isTest(path) && /\/src\//.test(path)),
    ({ path }) => dirname(path),
  );
  return [...folders]
    .filter(([folder, { length }]) => length > MOST_FILES && !lists.test(folder))
    .map(([path, { length }]) => ({ path, line: 0, what: `${length} files at its root, at most ${MOST_FILES}` }));
}

/** Names that several files export. A zod schema and the type of the same name in one file count as one. */
export function doubledNames(files: readonly SourceFile[]): readonly Finding[] {
  const exported = files.filter(({ path }) => isProduct(path) && !/\.spec\.tsx?$/.test(path)).flatMap(exportedNames);
  return [...Map.groupBy(exported, ({ what }) => what)].flatMap(([name, places]) => {
    const paths = [...new Set(places.map(({ path }) => path))];
    if (paths.length < 2) return [];
    return places.map((place) => ({
      ...place,
      what: `${name} is exported by ${paths.filter((path) => path !== place.path).join(', ')} too`,
    }));
  });
}

/** The types and values that a file declares and exports. Re-exported names do not count. */
function exportedNames({ path, text }: SourceFile): readonly Finding[] {
  const declared =
    /^export (?:(?:declare|default|abstract|async) )*(?:type|interface|class|enum|const|let|function\*?) (\w+)\b(?! *[,}])/gm;
  return [...text.matchAll(declared)].map((match) => ({ path, line: lineOf(text, match.index), what: match[1] ?? '' }));
}

/** Lines that contain a comment and have more than 120 characters. */
export function wideComments(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) => {
    const lines = file.text.split('\n');
    const widths = lines.map((line) => line.length);
    if (/\.(md|po)$/.test(file.path) || !widths.some((width) => width > WIDEST_COMMENT)) return [];
    return commentsOf(file)
      .flatMap(({ line, text }) => text.split('\n').map((_, at) => line + at))
      .map((line) => ({ path: file.path, line, what: `a comment of ${widths[line - 1]} characters` }))
      .filter(({ line }) => (widths[line - 1] ?? 0) > WIDEST_COMMENT);
  });
}

/** Old file names, with the folders in which they were misleading. */
const oldFiles: readonly Readonly<{ in: RegExp; names: readonly string[] }>[] = [
  {
    in: /^libs\//,
    names: [
      ...['tell', 'telling', 'told', 'asked', 'past', 'desk', 'company', 'together', 'in-turn', 'patience'],
      ...['remembered', 'recent', 'earlier', 'outcomes', 'bare', 'steps', 'gather', 'filling', 'heart', 'late'],
      ...['processed', 'believe', 'broken', 'exported', 'carry', 'carried', 'carried-lines', 'tally', 'stretch'],
      ...['watched', 'illegible', 'take-over', 'attempts', 'following', 'followed', 'since', 'restored'],
    ],
  },
  { in: /^libs\/(event-log|aggregates|projections)\//, names: ['course'] },
  { in: /^libs\/(database|documents)\//, names: ['kind', 'present', 'marks', 'receipts'] },
  {
    in: /^apps\/api\//,
    names: [
      ...['afterwards', 'promises', 'closed', 'target', 'visitor', 'kept', 'doors', 'hot', 'told', 'followed'],
      ...['oneself', 'themselves', 'single-sign-on.controller', 'sso.controller'],
    ],
  },
  { in: /^apps\/cli\//, names: ['desk', 'carry', 'told'] },
  { in: /^web\/src\//, names: ['held', 'world', 'facts', 'last', 'leaving'] },
  { in: /^test\//, names: ['tell', 'told', 'asked', 'carry', 'desk', 'oneself', 'themselves'] },
];
const oldFolders = /^(libs\/documents|libs\/wiring|apps\/api\/src\/oneself)\//;

/** Old type names, forbidden in every file. */
const oldTypes = [
  ...['Told', 'Telling', 'Tell', 'TellOrganization', 'TellOrganizationHandler'],
  ...['Asked', 'AskOrganization', 'AskOrganizationHandler', 'Desk', 'Me'],
];
/** Old type names that are forbidden in the product, because they were misleading there. */
const oldTypesOfProduct = [
  ...['Patience', 'InTurn', 'Together', 'Remembered', 'Recent', 'RecentIds', 'Filling', 'Gathered', 'Heart', 'Course'],
  ...['Late', 'NotBelieved', 'Broken', 'Exported', 'Carrying', 'CarriedEvent', 'Tally', 'Stretch', 'Watched'],
  ...['Illegible', 'Marks', 'Present', 'TakenOver', 'Following', 'Followed', 'Since', 'Restored', 'Afterwards'],
  ...['Promises', 'Visitors', 'Visitor', 'Hot', 'Held', 'World', 'StripeDoor'],
];
/** Words that may not be exported as a type name without a qualifier. */
const unqualified = ['Place', 'Verdict', 'Standing', 'Row', 'Line', 'Link', 'News', 'Change', 'Role', 'Outcome'];

/** Old names of exported functions and of methods. */
const oldFunctions = ['tell', 'telling', 'told', 'owed'];

/**
 * Files, types, exported functions and methods that still have an old name. Names of events, JSON fields, routes,
 * settings and tables are public, so they stay.
 */
export function oldNames(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) => [...oldFileNames(file), ...oldTypeNames(file), ...oldFunctionNames(file)]);
}

function oldFileNames({ path }: SourceFile): readonly Finding[] {
  const name = basename(path).replace(/(\.(spec|contract|testing|nightly))?\.\w+$/, '');
  const old = oldFolders.test(path) || oldFiles.some((each) => each.in.test(path) && each.names.includes(name));
  return old ? [{ path, line: 0, what: 'the file or its folder has an old name' }] : [];
}

function oldTypeNames({ path, text }: SourceFile): readonly Finding[] {
  const declared = /^[ \t]*(export )?(?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)\b(?! *[,}])/gm;
  return [...text.matchAll(declared)].flatMap((match) => {
    const [, isExported, name = ''] = match;
    const old =
      oldTypes.includes(name) ||
      (isProduct(path) && (oldTypesOfProduct.includes(name) || (isExported && unqualified.includes(name))));
    return old ? [{ path, line: lineOf(text, match.index), what: `the type ${name} has an old name` }] : [];
  });
}

function oldFunctionNames({ path, text }: SourceFile): readonly Finding[] {
  if (!isProduct(path)) return [];
  const names = oldFunctions.join('|');
  const exported = `export (?:async )?(?:function\\*?|const) (${names})\\b`;
  const method = `[ \\t]+(?:(?:private|protected|public|static|async) )*\\*?(${names})\\([^\\n]*\\)?(?:: [^\\n]+)? \\{$`;
  const severalLines = `[ \\t]+(?:(?:private|protected|public|static|async) )*(${names})\\($`;
  return [...text.matchAll(new RegExp(`^(?:${exported}|${method}|${severalLines})`, 'gm'))].map((match) => {
    const name = match[1] ?? match[2] ?? match[3];
    return { path, line: lineOf(text, match.index), what: `the function ${name} has an old name` };
  });
}

const vagueWords =
  /\b(whoever|whomever|somebody|someone|nobody|anybody|anyone|everybody|everyone|those who|(?<!no )one who|he who)(?![\w@-])/i;
const vagueStart = /^(what|whatever|who|whose)\b(?!'s next)/i;
const verbs =
  'is|are|was|were|isn’t|has|have|had|may|must|can|cannot|could|should|would|will|does|did|do|came|comes|goes|stays|stands';
const vagueClause = new RegExp(
  `(?:[;:—–(] |\\b(?:that|because|while|if|than|until|unless|but|so) )(?:what|who) (?:${verbs})\\b`,
  'i',
);

/** Sentences that do not name who acts: they contain "whoever" or "everyone", or have "what is …" as their subject. */
export function vagueSentences(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) =>
    proseOf(file).flatMap((prose) =>
      sentencesOf(prose)
        .filter(({ words }) => isVague(prose.kind, words))
        .map(({ line, text }) => ({ path: file.path, line, what: `${prose.kind}: ${text}` })),
    ),
  );
}

function isVague(kind: Prose['kind'], sentence: string): boolean {
  if (vagueWords.test(sentence)) return true;
  if (sentence.endsWith('?') || kind === 'heading') return false;
  return vagueStart.test(sentence) || vagueClause.test(sentence);
}

/**
 * First words that show that a commit's subject is a statement. The subject must be an imperative, as in `billing:
 * retry …`.
 */
const noImperative = /^(the|a|an|it|its|this|that|these|those|there|what|who|whoever|nobody|every|each|all|no)$/;

/** Subjects that are not `area: what the commit does`. */
export function badSubjects(subjects: readonly string[]): readonly string[] {
  return subjects.filter((subject) => {
    const [, first] = /^[a-z0-9][\w./-]*(?:, ?[a-z0-9][\w./-]*)*: ([a-z][\w-]*)[^\n]*[^.\s]$/.exec(subject) ?? [];
    return first === undefined || noImperative.test(first) || subject.length > LONGEST_SUBJECT;
  });
}

const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length;
