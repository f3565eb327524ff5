/**
 * Returns the token: the last part of a mailed link's address. Removes the token from the address bar before other code
 * runs.
 */
export function takeLinkToken({ location, history }: Pick<Window, 'location' | 'history'>): string {
  const found = /^(\/reset|\/email\/confirm)\/([^/]+)\/?$/.exec(location.pathname);
  if (!found) return '';
  history.replaceState(null, '', found[1]);
  return decoded(found[2]!);
}

/** A malformed address is not decoded; the server refuses it as an invalid link. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const SIGNED_OUT = 'charter-signed-out';

/**
 * Whether the console has left the mark of an ended session. Reading the mark removes it. Some browsers have no session
 * storage.
 */
export function takeSignedOut(window: Pick<Window, 'sessionStorage'>): boolean {
  try {
    const noted = window.sessionStorage.getItem(SIGNED_OUT) !== null;
    window.sessionStorage.removeItem(SIGNED_OUT);
    return noted;
  } catch {
    return false;
  }
}
