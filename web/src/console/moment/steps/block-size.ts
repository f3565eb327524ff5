/** The number of steps in a block. */
export const BLOCK_STEPS = 200;
