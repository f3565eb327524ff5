/** The last part of the address of a mailed link, taken out of the address bar before anything else sees it. */
export function takeLinkToken({ location, history }: Pick<Window, 'location' | 'history'>): string {
  const found = /^(\/reset|\/email\/confirm)\/([^/]+)\/?$/.exec(location.pathname);
  if (!found) return '';
  history.replaceState(null, '', found[1]);
  return decoded(found[2]!);
}

/** A broken address is a link that does not work, which the server says when it is asked. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const SIGNED_OUT = 'charter-signed-out';

/** Whether the console left this note, that a session had ended. It counts once; a browser may keep no notes at all. */
export function takeSignedOut(window: Pick<Window, 'sessionStorage'>): boolean {
  try {
    const noted = window.sessionStorage.getItem(SIGNED_OUT) !== null;
    window.sessionStorage.removeItem(SIGNED_OUT);
    return noted;
  } catch {
    return false;
  }
}
