import { createStoredChoice } from './stored-choice';

/** Whether single keys (without Ctrl) are shortcuts on the pages. */
export const singleKeys = createStoredChoice('charter-single-keys', ['on', 'off']);
