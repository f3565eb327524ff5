import type { Blocks, createBlocks } from './blocks';
import type { differs } from './compared-answers';

/**
 * Loads the code that computes answers from steps. Few people move a page through time, so the page loads this code
 * only when needed.
 */
export const loadBlocks = async () => {
  const [blocks, answers] = await Promise.all([import('./blocks'), import('./compared-answers')]);
  return { ...blocks, ...answers };
};

/** Blocks, and the function that compares the computed answers with the answers of the service. */
export type LaterBlocks = Blocks & Readonly<{ differs: typeof differs }>;

/**
 * Blocks whose code loads with the first block. Before the code has loaded, `at`, `step` and `momentOf` return
 * undefined, and no answers differ.
 */
export function createLaterBlocks(...of: Parameters<typeof createBlocks>): LaterBlocks {
  let blocks: Blocks | undefined;
  let code: Awaited<ReturnType<typeof loadBlocks>> | undefined;
  return {
    at: (revision) => blocks?.at(revision),
    differs: (...of) => code?.differs(...of) === true,
    step: (revision) => blocks?.step(revision),
    momentOf: (revision) => blocks?.momentOf(revision),
    want: async (...revisions) => {
      if (!blocks) {
        code = await loadBlocks();
        blocks ??= code.createBlocks(...of);
      }
      await blocks.want(...revisions);
    },
  };
}
