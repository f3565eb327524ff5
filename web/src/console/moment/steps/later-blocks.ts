import type { Blocks, createBlocks } from './blocks';

/**
 * Loads the code that computes answers from steps. Few people move a page through time, so the page loads this code
 * only when needed.
 */
export const loadBlocks = () => import('./blocks');

/**
 * Blocks whose code loads with the first block. Before the code has loaded, `at`, `step` and `momentOf` return
 * undefined.
 */
export function createLaterBlocks(...of: Parameters<typeof createBlocks>): Blocks {
  let blocks: Blocks | undefined;
  return {
    at: (revision) => blocks?.at(revision),
    step: (revision) => blocks?.step(revision),
    momentOf: (revision) => blocks?.momentOf(revision),
    want: async (...revisions) => {
      if (!blocks) {
        const code = await loadBlocks();
        blocks ??= code.createBlocks(...of);
      }
      await blocks.want(...revisions);
    },
  };
}
