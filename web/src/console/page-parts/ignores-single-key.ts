import { singleKeys } from '../../choices/single-keys';

/**
 * Whether the page must ignore a single-key shortcut. The reasons are a key press in a field, an open dialog, or the
 * person's preference.
 */
export const ignoresSingleKey = (target: EventTarget | null): boolean =>
  singleKeys.current() === 'off' || isField(target) || document.querySelector('dialog[open]') !== null;

/** Whether the key presses of a person on this element are typed text. */
export const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type=range], [type=radio], [type=checkbox])'));
