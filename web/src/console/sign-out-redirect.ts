import { http } from '../http';
import { SIGNED_OUT } from '../sign-in/arrival';

/** After the end of the session: opens the log-in page, which leads back to the present page. */
export function redirectToLogin(window: Pick<Window, 'location' | 'sessionStorage'>): void {
  const { location } = window;
  try {
    window.sessionStorage.setItem(SIGNED_OUT, ''); // a mark without content, so that the log-in page can show a message
  } catch {
    // Without session storage the log-in page shows no message.
  }
  const here = `${location.pathname}${location.search}${location.hash}`;
  location.assign(here === '/' ? '/login' : `/login?${new URLSearchParams({ redirect: here }).toString()}`);
}

/** Ends this browser's session. @throws the error of axios; then the session continues */
export async function logOut(window: Pick<Window, 'location'>): Promise<void> {
  await (await http()).post('/logout', {});
  window.location.assign('/login');
}
