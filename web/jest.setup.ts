import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';

/**
 * Milliseconds. Specs wait for conditions. On a busy machine a condition may need longer than the default limit of one
 * second.
 */
configure({ asyncUtilTimeout: 20_000 });

// jsdom has dialogs, but cannot open or close them, and it scrolls to no element. Specs of the prerendering run without
// a DOM, so `HTMLDialogElement` is not defined there.
if (typeof HTMLDialogElement !== 'undefined') {
  Element.prototype.scrollIntoView = () => undefined;
  HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement) {
    this.open = true;
    this.querySelector<HTMLElement>('input, button')?.focus();
  };
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
  // A change whose outcome a test leaves open must not continue in the next test.
  afterEach(() => sessionStorage.clear());
}
