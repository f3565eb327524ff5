import '@testing-library/jest-dom';
import { configure, getConfig } from '@testing-library/react';
import * as React from 'react';

/**
 * The maximum number of milliseconds for which a spec waits for a condition. On a busy machine, the default of one
 * second may be too short.
 */
configure({ asyncUtilTimeout: 20_000 });

// A query that finds no element prints the document into the message of its error. While a spec waits, `waitFor`
// repeats the query and discards the errors. So here an error prints the document only when the spec gives up and reads
// the message.
const { getElementError: elementError } = getConfig();
configure({
  getElementError: function getElementError(message, container) {
    const { _disableExpensiveErrorDiagnostics: isWaiting } = getConfig() as {
      _disableExpensiveErrorDiagnostics?: boolean;
    };
    const isDeferred = isWaiting && message !== null;
    const error = isDeferred ? new Error() : elementError(message, container);
    error.name = 'TestingLibraryElementError';
    if (isDeferred) {
      const get = () => elementError(message, container).message;
      Object.defineProperty(error, 'message', { get, configurable: true });
    } else Error.captureStackTrace(error, getElementError); // the trace starts at the query
    return error;
  },
});

// In development, React records for each element where the code made it, up to 10,000 times a second. The records only
// lengthen React's warnings, and need a fifth of the processor time of a spec. Here React counts as if it were at that
// limit.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as Readonly<
  Record<string, object>
>;
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => undefined });

// jsdom has dialog elements, but cannot open or close them, cannot scroll to an element, and cannot observe its size.
// Specs of the prerendering run without a DOM, so `HTMLDialogElement` is undefined there.
if (typeof HTMLDialogElement !== 'undefined') {
  Element.prototype.scrollIntoView = () => undefined;
  window.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement) {
    this.open = true;
    this.querySelector<HTMLElement>('input, button')?.focus();
  };
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
  // The session storage contains changes whose outcome is unknown. A change of one test must not continue in the next
  // test.
  afterEach(() => sessionStorage.clear());
}
