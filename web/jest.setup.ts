import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';

/**
 * The maximum number of milliseconds for which a spec waits for a condition. On a busy machine, the default of one
 * second may be too short.
 */
configure({ asyncUtilTimeout: 20_000 });

// jsdom has dialog elements, but cannot open or close them, and cannot scroll to an element. Specs of the prerendering
// run without a DOM, so `HTMLDialogElement` is undefined there.
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
  // The session storage contains changes whose outcome is unknown. They must not continue in the next test.
  afterEach(() => sessionStorage.clear());
}
