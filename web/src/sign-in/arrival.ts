/**
 * Returns the token of a mailed link, which is the last part of the URL. Removes the token from the address bar. A
 * caller loads all scripts of the page first, because a reload after a failure needs the token.
 */
export function takeLinkToken({ location, history }: Pick<Window, 'location' | 'history'>): string {
  const found = /^(\/reset|\/invitation|\/email\/confirm)\/([^/]+)\/?$/.exec(location.pathname);
  if (!found) return '';
  history.replaceState(null, '', found[1]);
  return decoded(found[2]!);
}

/** Decodes a token. Returns a malformed token unchanged; the server then refuses the link as invalid. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const SIGNED_OUT = 'charter-signed-out';

/**
 * Whether the console has noted in session storage that a session has ended. Removes this note. Returns false in
 * browsers without session storage.
 */
export const takeSignedOut = (window: Pick<Window, 'sessionStorage'>): boolean =>
  takeStored(window, SIGNED_OUT) !== null;

/**
 * Removes the item with this name from session storage, and returns its text; null without such an item, and in
 * browsers without session storage.
 */
export function takeStored(window: Pick<Window, 'sessionStorage'>, name: string): string | null {
  try {
    const text = window.sessionStorage.getItem(name);
    window.sessionStorage.removeItem(name);
    return text;
  } catch {
    return null;
  }
}
