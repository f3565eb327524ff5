import type { Steps } from '@charter/client';
import { copyWithStructuralSharing } from '@reduxjs/toolkit/query';
import { BLOCK_STEPS } from './block-size';
import { patched, type JsonObject, unpatched } from './patches';

/**
 * The service's answers about one revision: the document, with objects by id in place of its lists, and the
 * entitlements.
 */
export type RevisionAnswers = Readonly<{ revision: number; document: JsonObject; entitlements: JsonObject }>;

/** The maximum number of blocks in memory: some 2,400 steps. */
const BLOCKS_MAX = 12;
/** The maximum number of blocks that load at the same time. */
const LOADING_MAX = 2;

type Block = Pick<Steps, 'from' | 'to' | 'steps'> & Readonly<{ base: RevisionAnswers }>;

/**
 * The steps of a history, loaded in blocks. A move between revisions of loaded blocks needs no request. If there are
 * too many blocks, the least recently used blocks are dropped.
 * @param onLoad called after each block that has loaded
 */
export function createBlocks(load: (from: number) => Promise<Steps>, onLoad: () => void = () => undefined) {
  const blocks = new Map<number, Block>();
  const loading = new Map<number, Promise<void>>();
  /** The revisions whose blocks load next. */
  let waiting: readonly number[] = [];
  let current: RevisionAnswers | undefined;

  const isLoaded = (revision: number) => (blocks.get(firstOf(revision))?.to ?? -1) >= revision;
  const stepTo = (revision: number) => {
    const block = blocks.get(firstOf(revision - 1));
    return block?.steps[revision - block.from - 1];
  };
  const momentAt = (revision: number) => stepTo(revision)?.at ?? blocks.get(revision)?.base.entitlements['at'];
  /**
   * The answers about a revision, computed from the answers about another revision; undefined if a step between the two
   * revisions is not loaded.
   */
  const moved = (answers: RevisionAnswers, revision: number): RevisionAnswers | undefined => {
    const distance = Math.abs(revision - answers.revision);
    if (distance === 0) return answers;
    if (distance > BLOCK_STEPS) return undefined;
    const first = Math.min(revision, answers.revision) + 1;
    const steps = Array.from({ length: distance }, (_, index) => stepTo(first + index)).filter((step) => !!step);
    const at = momentAt(revision);
    if (steps.length < distance || at === undefined) return undefined;
    const change = revision > answers.revision ? patched : unpatched;
    const changed = (part: 'document' | 'entitlements'): JsonObject => {
      const lines = steps.flatMap((step) => step[part]);
      return { ...change(answers[part], lines), revision, at };
    };
    return { revision, document: changed('document'), entitlements: changed('entitlements') };
  };
  const take = ({ from, to, base, steps }: Steps) => {
    if (!base) return;
    const { document, entitlements } = base as Readonly<{ document: JsonObject; entitlements: JsonObject }>;
    blocks.set(from, { from, to, steps, base: { revision: from, document, entitlements } });
    for (const oldest of blocks.keys()) if (blocks.size > BLOCKS_MAX) blocks.delete(oldest);
    onLoad();
  };
  const loadNext = (): void => {
    waiting = waiting.filter((revision) => !isLoaded(revision) && !loading.has(firstOf(revision)));
    const [next, ...others] = waiting;
    if (next === undefined || loading.size >= LOADING_MAX) return;
    waiting = others;
    const from = firstOf(next);
    const begun = load(from)
      .then(take)
      .finally(() => {
        loading.delete(from);
        loadNext();
      });
    loading.set(from, begun);
    begun.catch(() => undefined); // a caller of `want` gets the failure
    loadNext();
  };

  return {
    /** The answers about a revision; undefined while the block of this revision is not loaded. */
    at: (revision: number): RevisionAnswers | undefined => {
      const from = firstOf(revision);
      const block = blocks.get(from);
      if (!block || revision > block.to) return undefined;
      blocks.delete(from); // the most recently used block comes last
      blocks.set(from, block);
      const near = current && moved(current, revision);
      // After a move to a far revision, the answers come from another block. Equal parts stay the same objects, so that
      // the page does not render them again.
      current = near ?? copyWithStructuralSharing(current, moved(block.base, revision)!);
      return current;
    },
    /** The step of an event, if its block is loaded. */
    step: stepTo,
    /** The moment of an event in milliseconds, if its block is loaded. */
    momentOf: (revision: number): number | undefined => {
      const at = momentAt(revision);
      return typeof at === 'string' ? Date.parse(at) : undefined;
    },
    /**
     * Loads the blocks of these revisions in this order, and requests each block only once. Revisions of an earlier
     * call whose request has not begun are dropped. Resolves when those of these blocks have loaded whose requests have
     * begun; does not wait for the other blocks.
     */
    want: async (...revisions: readonly number[]): Promise<void> => {
      waiting = revisions;
      loadNext();
      await Promise.all(revisions.flatMap((revision) => loading.get(firstOf(revision)) ?? []));
    },
  };
}
export type Blocks = ReturnType<typeof createBlocks>;

const firstOf = (revision: number) => Math.floor(revision / BLOCK_STEPS) * BLOCK_STEPS;
