import { createStoredChoice } from './stored-choice';

/** Whether a single key without Ctrl, such as `t`, works as a shortcut on the pages. */
export const singleKeys = createStoredChoice('charter-single-keys', ['on', 'off']);
