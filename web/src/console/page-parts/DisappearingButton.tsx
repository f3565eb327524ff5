import type { ComponentProps } from 'react';
import { RequestButton } from '../../ui/RequestButton';
import controlStyles from './Controls.module.css';

/** A button that may disappear when a person presses it. */
export const DisappearingButton = (of: ComponentProps<typeof RequestButton>) => (
  <RequestButton className={controlStyles['button']} ref={moveFocusAfterRemoval} {...of} />
);

/**
 * If an element disappears with the focus, the focus moves to the heading of the section or dialog, or to the field of
 * a dialog without a heading, or else to the heading of the page.
 */
export const moveFocusAfterRemoval = (element: HTMLElement | null) => () => {
  if (!element?.contains(document.activeElement)) return;
  const part = element.closest('section, dialog, aside');
  // The page is not complete before React has removed the element and added its successors.
  queueMicrotask(() => {
    if (document.activeElement !== document.body) return;
    const inPart = part?.isConnected && part.querySelector<HTMLElement>('h1, h2, h3, input');
    const heading = inPart || document.querySelector('h1');
    if (!heading) return;
    if (!heading.matches('input')) heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  });
};
