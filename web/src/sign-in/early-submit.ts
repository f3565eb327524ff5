import { type RefObject, useEffect, useState } from 'react';

/**
 * Until the application loads, `early.js` enables the button of the form and holds a submit back. After this hook runs,
 * the page handles the form and sends the submit that was held back. Returns whether the page handles the form.
 */
export function useEarlySubmit(form: RefObject<HTMLFormElement | null>): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  useEffect(() => {
    if (!ready) return;
    document.documentElement.dataset['ready'] = ''; // `early.js` stops holding submits
    const { current } = form;
    if (current?.dataset['held'] === undefined) return;
    delete current.dataset['held'];
    current.querySelector('[type=submit]')?.removeAttribute('aria-busy');
    current.requestSubmit();
  }, [ready, form]);
  return ready;
}
