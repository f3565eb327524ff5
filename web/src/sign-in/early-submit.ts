import { type RefObject, useEffect, useState } from 'react';

/**
 * Until the application loads, `early.js` enables the form's button and holds a submit. From now on the page handles
 * the form, and sends the held submit. Returns whether the page handles the form.
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
