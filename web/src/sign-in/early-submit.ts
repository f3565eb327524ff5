import { type RefObject, useEffect, useState } from 'react';

/**
 * Before the code was there, `early.js` enabled the form's button and held what was submitted. From now on the page takes
 * over: the held submit is sent. Answers with whether the page has taken over.
 */
export function useEarlySubmit(form: RefObject<HTMLFormElement | null>): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  useEffect(() => {
    if (!ready) return;
    document.documentElement.dataset['ready'] = ''; // `early.js` holds nothing any more
    const { current } = form;
    if (current?.dataset['held'] === undefined) return;
    delete current.dataset['held'];
    current.querySelector('[type=submit]')?.removeAttribute('aria-busy');
    current.requestSubmit();
  }, [ready, form]);
  return ready;
}
