import type { Steps } from '@charter/client';
import { patched, type JsonObject, unpatched } from './patches';

/** The answers of one revision: the document, whose lists are objects by id, and the entitlements. */
export type RevisionAnswers = Readonly<{ revision: number; document: JsonObject; entitlements: JsonObject }>;

/** The number of steps in a block. */
export const BLOCK_STEPS = 200;
/** The maximum number of blocks in memory: some 2,400 steps. */
const BLOCKS_MAX = 12;

type Block = Pick<Steps, 'from' | 'to' | 'steps'> & Readonly<{ base: RevisionAnswers }>;

/**
 * The steps of a history in blocks. A change of revision inside a loaded block needs no request. The blocks that were
 * used least recently are dropped.
 */
export function createBlocks(load: (from: number) => Promise<Steps>) {
  const blocks = new Map<number, Block>();
  const loading = new Map<number, Promise<void>>();
  let current: RevisionAnswers | undefined;

  const blockOf = (revision: number) => {
    const from = Math.floor(revision / BLOCK_STEPS) * BLOCK_STEPS;
    const block = blocks.get(from);
    if (block) {
      blocks.delete(from); // the most recently used block comes last
      blocks.set(from, block);
    }
    return block;
  };
  const take = ({ from, to, base, steps }: Steps) => {
    if (!base) return;
    const { document, entitlements } = base as Readonly<{ document: JsonObject; entitlements: JsonObject }>;
    blocks.set(from, { from, to, steps, base: { revision: from, document, entitlements } });
    for (const oldest of blocks.keys()) if (blocks.size > BLOCKS_MAX) blocks.delete(oldest);
  };
  const moveWithin = ({ from, to, base, steps }: Block, revision: number): RevisionAnswers => {
    let answers = current && current.revision >= from && current.revision <= to ? current : base;
    while (answers.revision < revision) answers = after(answers, steps[answers.revision - from]!);
    while (answers.revision > revision) {
      const step = answers.revision - from - 1;
      answers = before(answers, steps[step]!, steps[step - 1]?.at ?? base.entitlements['at']);
    }
    return answers;
  };

  return {
    /** The answers of a revision; undefined while its block is not loaded. */
    at: (revision: number): RevisionAnswers | undefined => {
      const block = blockOf(revision);
      if (!block || revision > block.to) return undefined;
      current = moveWithin(block, revision);
      return current;
    },
    /** The step of an event, if its block is loaded. */
    step: (revision: number) => {
      const block = blockOf(Math.max(0, revision - 1));
      return block?.steps[revision - block.from - 1];
    },
    /** Loads the block of a revision. Requests each block only once, even after several calls. */
    want: (revision: number): Promise<void> => {
      const from = Math.floor(revision / BLOCK_STEPS) * BLOCK_STEPS;
      const known = blocks.get(from);
      if (known && known.to >= revision) return Promise.resolve();
      const begun =
        loading.get(from) ??
        load(from)
          .then(take)
          .finally(() => loading.delete(from));
      loading.set(from, begun);
      return begun;
    },
  };
}
export type Blocks = ReturnType<typeof createBlocks>;

type Step = Steps['steps'][number];
const after = ({ document, entitlements }: RevisionAnswers, { revision, at, ...step }: Step): RevisionAnswers => ({
  revision,
  document: { ...patched(document, step.document), revision, at },
  entitlements: { ...patched(entitlements, step.entitlements), revision, at },
});
const before = ({ document, entitlements }: RevisionAnswers, step: Step, at: unknown): RevisionAnswers => {
  const revision = step.revision - 1;
  return {
    revision,
    document: { ...unpatched(document, step.document), revision, at },
    entitlements: { ...unpatched(entitlements, step.entitlements), revision, at },
  };
};
