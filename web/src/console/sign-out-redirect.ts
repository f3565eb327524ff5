import { http } from '../http';
import { SIGNED_OUT } from '../sign-in/arrival';

/** The session has ended: log in again, and come back to this very page. */
export function redirectToLogin(window: Pick<Window, 'location' | 'sessionStorage'>): void {
  const { location } = window;
  try {
    window.sessionStorage.setItem(SIGNED_OUT, ''); // only that it happened, so that the log-in page can say so
  } catch {
    // A browser that keeps no notes says nothing.
  }
  const here = `${location.pathname}${location.search}${location.hash}`;
  location.assign(here === '/' ? '/login' : `/login?${new URLSearchParams({ redirect: here }).toString()}`);
}

/** Ends this browser's session. @throws what axios throws; then the session goes on */
export async function logOut(window: Pick<Window, 'location'>): Promise<void> {
  await (await http()).post('/logout', {});
  window.location.assign('/login');
}
