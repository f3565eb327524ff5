import { http } from '../http';
import { SIGNED_OUT } from '../sign-in/arrival';

/** Opens the log-in page after the session has ended. After the log-in, the browser returns to the current page. */
export function redirectToLogin(window: Pick<Window, 'location' | 'sessionStorage'>): void {
  const { location } = window;
  try {
    window.sessionStorage.setItem(SIGNED_OUT, ''); // this mark makes the log-in page show a message
  } catch {
    // Without session storage the log-in page shows no message.
  }
  const here = `${location.pathname}${location.search}`;
  const login = here === '/' ? '/login' : `/login?${new URLSearchParams({ redirect: here }).toString()}`;
  location.assign(login + location.hash); // the fragment may name a person, so the redirect keeps it out of the query
}

/**
 * Ends this browser's session, and opens the log-in page. @throws the error of axios, if the service did not end the
 * session
 */
export async function logOut(window: Pick<Window, 'location'>): Promise<void> {
  await (await http()).post('/logout', {});
  window.location.assign('/login');
}
