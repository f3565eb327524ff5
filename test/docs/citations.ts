import { posix } from 'node:path';

/** A file of the repository: its path from the root, and its text. */
export type File = Readonly<{ path: string; text: string }>;
export type Citation = Readonly<{ at: string; cited: string; dangling?: string }>;

/**
 * Every citation in a file; `dangling` is the reason if its target does not exist. A citation may be a page, alone or
 * with a label: the number of a rule, a letter with a number, or a heading. Other citations are Markdown links, `rule
 * 24`, `specification 5`, labels without a page such as `(K6)`, and paths in backticks.
 */
export function citationsIn(
  { path, text }: File,
  pages: ReadonlyMap<string, Page>,
  isThere: (path: string) => boolean,
): readonly Citation[] {
  const flat = flattened(text);
  const at = (index: number) => `${path}:${flat.slice(0, index).split('\n').length}`;
  const found = [
    ...named(flat, path, pages),
    ...links(flat, path, pages),
    ...rules(flat, pages),
    ...bare(flat, pages),
    ...paths(flat, isThere),
  ];
  return found.map(({ index, cited, dangling }) => ({ at: at(index), cited, ...(dangling && { dangling }) }));
}

type Found = Readonly<{ index: number; cited: string; dangling?: string | undefined }>;

/**
 * A citation may continue in the next line of a comment or a list. So spaces replace the indentation and the comment
 * marker (`//` or `*`) of each line. All offsets stay the same.
 */
const flattened = (text: string): string =>
  text.replaceAll(/(?<=\n)[ \t]*(?:\/\/|\*(?!\/))?/g, (margin) => ' '.repeat(margin.length));

/** The parts of a page that can be cited. */
export type Page = Readonly<{
  path: string;
  headings: readonly string[];
  /** The numbers and letters at the beginning of headings, of bold list items and of table rows. */
  labels: ReadonlySet<string>;
  /** The headings in the form that links have after a `#`. */
  anchors: ReadonlySet<string>;
  /** The numbers of list items under each heading. */
  items: ReadonlyMap<string, ReadonlySet<string>>;
}>;

export function pageOf({ path, text }: File): Page {
  const headings: string[] = [];
  const anchors = new Set<string>();
  const labels = new Set<string>();
  const items = new Map<string, Set<string>>();
  for (const line of text.replaceAll(/^```[^]*?^```/gm, '').split('\n')) {
    const heading = /^#+ (.+)$/.exec(line)?.[1]?.replaceAll(/[`*]/g, '');
    const label = /^#+ ([A-Z]?\d+|[A-Z])\. |^- \*\*([A-Z]\d+)\*\*|^\| `?([A-Z]\d+)`? +\|/
      .exec(line)
      ?.slice(1)
      .find(Boolean);
    const item = /^(\d+)\. /.exec(line)?.[1];
    if (heading !== undefined) headings.push(heading.replace(/^[A-Z]?\d*\. /, ''));
    if (heading !== undefined) anchors.add(anchorOf(heading));
    if (label !== undefined) labels.add(label);
    const section = headings.at(-1) ?? '';
    if (item !== undefined) items.set(section, (items.get(section) ?? new Set()).add(item));
  }
  return { path, headings, anchors, labels, items };
}

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const PAGE = /(?<![\w/.$}-])((?:[\w.-]+\/)*[\w-]+\.md)\b(?!['"(]|\.\w)(?:#([\w-]+))?`?/g;
const LABEL = String.raw`§?(?:[A-Z]?\d{1,2}|[A-Z])(?![\w-])`;
const LABELS = new RegExp(String.raw`^[ \n]*,?[ \n]+(${LABEL}(?:(?:,|–|-|[ \n]+and|[ \n]+to)[ \n]*${LABEL})*)`);
const HEADING = /^,[ \n]+([A-Z][a-z-]+(?:[ \n]+[a-z-]+)*)/;

/** Finds citations of these forms: `page.md`, `page.md` 24, `page.md` §6, `page.md`, Heading, 8. */
function named(text: string, from: string, pages: ReadonlyMap<string, Page>): Found[] {
  return [...text.matchAll(PAGE)].map(({ 0: whole, 1: name = '', index }) => {
    const page = pageNamed(name, from, pages);
    const after = text.slice(index + whole.length, index + whole.length + 200);
    if (!page) return { index, cited: name, dangling: 'there is no such page' };
    const [heading, behind] = headingAfter(after, page);
    if (heading === null) return { index, cited: `${name}${after.slice(0, 30)}`, dangling: 'there is no such heading' };
    const labels = labelsIn(LABELS.exec(behind)?.[1] ?? '');
    const cited = [name, heading, ...labels].filter(Boolean).join(', ');
    const missing = labels.filter((label) => !has(page, heading, label));
    return { index, cited, dangling: missing.length > 0 ? `there is no ${missing.join(', ')}` : undefined };
  });
}

/**
 * The heading that a citation names, and the text after it. The heading is undefined if the citation names none, and
 * null if the page has no such heading.
 */
function headingAfter(
  after: string,
  { headings }: Page,
): readonly [heading: string | null | undefined, behind: string] {
  const words = HEADING.exec(after)?.[1]?.split(/[ \n]+/);
  if (!words) return [undefined, after];
  for (let length = words.length; length > 0; length -= 1) {
    const start = words.slice(0, length);
    const heading = headings.find((one) => start.every((word, at) => one.split(/[ :]/)[at] === word));
    if (heading === undefined) continue;
    const pattern = new RegExp(String.raw`^,[ \n]+${start.join(String.raw`[ \n]+`)}`);
    return [heading, after.replace(pattern, '')];
  }
  return [null, after];
}

const labelsIn = (text: string): readonly string[] => text.match(/[A-Z]?\d{1,2}|[A-Z]/g) ?? [];

/**
 * Whether the page has this label. A number belongs to a heading if headings have numbers, and otherwise to a list
 * item. A single letter is a label only if headings begin with letters.
 */
function has({ labels, items }: Page, heading: string | undefined, label: string): boolean {
  if (heading !== undefined) return items.get(heading)?.has(label) ?? labels.has(label);
  // this letter is not a label but the first word of a sentence
  if (/^[A-Z]$/.test(label) && !labels.has('A')) return true;
  if (labels.has(label)) return true;
  return /^\d/.test(label) && !labels.has('1') && [...items.values()].some((numbers) => numbers.has(label));
}

/**
 * Finds a page by its path from the citing file, from the root or from `docs`, or by its name if only one page has this
 * name.
 */
function pageNamed(name: string, from: string, pages: ReadonlyMap<string, Page>): Page | undefined {
  const beside = pages.get(posix.join(posix.dirname(from), name)) ?? pages.get(name) ?? pages.get(`docs/${name}`);
  if (beside || name.includes('/')) return beside;
  const [only, ...others] = [...pages.values()].filter(({ path }) => posix.basename(path) === name);
  return others.length === 0 ? only : undefined;
}

/** Finds Markdown links to pages of the repository. `pages.spec.ts` checks links to other files. */
function links(text: string, from: string, pages: ReadonlyMap<string, Page>): Found[] {
  if (!from.endsWith('.md')) return [];
  return [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
    ({ 1: target = '', 2: anchor, index }) => {
      const path = target === '' ? from : posix.join(posix.dirname(from), target);
      if (!path.endsWith('.md')) return [];
      const page = pages.get(path);
      const cited = `${target}${anchor === undefined ? '' : `#${anchor}`}`;
      if (!page) return [{ index, cited, dangling: 'there is no such page' }];
      const isThere = anchor === undefined || page.anchors.has(anchor);
      return [{ index, cited, dangling: isThere ? undefined : 'there is no such heading' }];
    },
  );
}

/** Finds citations of rules such as `rule 24`, `rules 3 and 18`, `specification 5`, `specification, 2`. */
function rules(text: string, pages: ReadonlyMap<string, Page>): Found[] {
  const forms = [
    { page: 'decisions.md', form: /\b[Rr]ules? (\d{1,2}(?:(?:,| and) \d{1,2})*)\b/g },
    { page: 'specification.md', form: /\b[Ss]pecification,? §?(\d{1,2}(?:(?:,| and) \d{1,2})*)\b/g },
  ];
  return forms.flatMap(({ page: name, form }) =>
    [...text.matchAll(form)].map(({ 0: cited, 1: numbers = '', index }) => {
      const page = pageNamed(name, '', pages);
      const missing = labelsIn(numbers).filter((number) => !page || !has(page, undefined, number));
      return { index, cited, dangling: missing.length > 0 ? `${name} has no ${missing.join(', ')}` : undefined };
    }),
  );
}

/**
 * Finds labels without a page, such as `(K6)`, `(U4, U8)`, and at the beginning of titles such as `K6: …`. These labels
 * belong to `acceptance.md` or to `event-log.md`.
 */
function bare(text: string, pages: ReadonlyMap<string, Page>): Found[] {
  const known = ['acceptance.md', 'event-log.md'].flatMap((name) => pageNamed(name, '', pages) ?? []);
  const label = String.raw`[A-Z]\d{1,2}`;
  const form = new RegExp(String.raw`(?:\(|['"\`])(${label}(?:(?:,|–| and) ?${label})*)(?=[):;,] ?)(?!['"])`, 'g');
  return [...text.matchAll(form)].map(({ 1: cited = '', index }) => {
    const missing = labelsIn(cited).filter((one) => !known.some(({ labels }) => labels.has(one)));
    return { index, cited, dangling: missing.length > 0 ? `no page has ${missing.join(', ')}` : undefined };
  });
}

/**
 * Finds paths of files and folders such as `libs/decider/src/decider.ts`. Paths with placeholders or patterns do not
 * count.
 */
function paths(text: string, isThere: (path: string) => boolean): Found[] {
  const form = /`((?:libs|apps|web|test|scripts|bin|deploy|docs)\/[\w./-]*)`/g;
  return [...text.matchAll(form)].map(({ 1: cited = '', index }) => ({
    index,
    cited,
    dangling: isThere(cited) ? undefined : 'there is no such file',
  }));
}
