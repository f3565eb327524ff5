import { type RefObject, useEffect, useState } from 'react';

/**
 * Returns whether React handles the form. Until the application has loaded, `early.js` enables the form's button, and
 * notes if a person submits the form. After the application has loaded, this hook submits the form if `early.js` has
 * noted a submit.
 */
export function useEarlySubmit(form: RefObject<HTMLFormElement | null>): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  useEffect(() => {
    if (!ready) return;
    document.documentElement.dataset['ready'] = ''; // from now on `early.js` stores no submits
    const { current } = form;
    if (current?.dataset['held'] === undefined) return;
    delete current.dataset['held'];
    const button = current.querySelector('[type=submit]');
    button?.removeAttribute('aria-busy');
    button?.removeAttribute('aria-disabled');
    current.requestSubmit();
  }, [ready, form]);
  return ready;
}
