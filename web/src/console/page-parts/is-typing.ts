/** Whether the key press goes into a field. Single keys of the page then do nothing. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type=range], [type=radio], [type=checkbox])'));
