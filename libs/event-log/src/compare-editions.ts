import type { Edition, Page } from './document-store';
import { canonicalText } from './canonical';

/** Two editions beside each other. Documents at different revisions are not compared: one of them is still moving. */
export type Comparison = Readonly<{
  equal: number;
  /** Streams whose documents differ at the same revision, or that only one edition has; the first hundred. */
  different: readonly string[];
  differences: number;
  moving: number;
}>;

export async function compareEditions(one: Edition<unknown>, other: Edition<unknown>): Promise<Comparison> {
  const counts = { equal: 0, moving: 0, differences: 0 };
  const different: string[] = [];
  for await (const [mine, theirs] of sideBySide(one, other)) {
    const verdict = judge(mine, theirs);
    counts[verdict] += 1;
    if (verdict === 'differences' && different.length < 100) different.push((mine ?? theirs)!.stream);
  }
  return { ...counts, different };
}

type Entry = Page<unknown>['documents'][number];

function judge(mine: Entry | undefined, theirs: Entry | undefined) {
  if (!mine || !theirs) return 'differences';
  if (mine.document.revision !== theirs.document.revision) return 'moving';
  return canonicalText(mine) === canonicalText(theirs) ? 'equal' : 'differences';
}

/** Both editions in the order of their streams: a stream that one of them lacks comes with a gap. */
async function* sideBySide(one: Edition<unknown>, other: Edition<unknown>) {
  const [left, right] = [entriesOf(one), entriesOf(other)];
  let [mine, theirs] = [await left.next(), await right.next()];
  while (!mine.done || !theirs.done) {
    const mineFirst = !mine.done && (theirs.done || mine.value.stream <= theirs.value.stream);
    const theirsFirst = !theirs.done && (mine.done || theirs.value.stream <= mine.value.stream);
    yield [mineFirst ? mine.value : undefined, theirsFirst ? theirs.value : undefined] as const;
    if (mineFirst) mine = await left.next();
    if (theirsFirst) theirs = await right.next();
  }
}

async function* entriesOf(edition: Edition<unknown>): AsyncGenerator<Entry, undefined> {
  for (let after = ''; ;) {
    const { documents } = await edition.page(after, 200);
    yield* documents;
    const last = documents.at(-1);
    if (!last) return undefined;
    after = last.stream;
  }
}
