import type { ComponentProps } from 'react';
import controlStyles from './Controls.module.css';

/**
 * A button that may disappear when a person presses it. The focus would be lost with it, so the focus moves to the
 * heading of the section or dialog, or to the field of a dialog without a heading, or else to the heading of the page.
 */
export const DisappearingButton = (of: ComponentProps<'button'>) => (
  <button type="button" className={controlStyles['button']} ref={moveFocusAfterRemoval} {...of} />
);

const moveFocusAfterRemoval = (button: HTMLButtonElement) => () => {
  if (document.activeElement !== button) return;
  const part = button.closest('section, dialog, aside');
  // The page is not complete before React has removed the button and added its successors.
  queueMicrotask(() => {
    if (document.activeElement !== document.body) return;
    const inPart = part?.isConnected && part.querySelector<HTMLElement>('h1, h2, h3, input');
    const heading = inPart || document.querySelector('h1');
    if (!heading) return;
    if (!heading.matches('input')) heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  });
};
