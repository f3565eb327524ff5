import { createStoredChoice } from './stored-choice';

/** Whether keys without Ctrl act on the pages. */
export const singleKeys = createStoredChoice('charter-single-keys', ['on', 'off']);
