/** The answer for a path: a page of the build (`web/README.md`), or a redirect. */
export type PageChoice = Readonly<{ page: string }> | Readonly<{ goTo: string }>;

/**
 * Chooses the page for the paths whose page does not depend on a session. Pages that depend on no session work even if
 * the process cannot read sessions. Undefined for other paths. `/forgot` is checked first (specification, 2).
 * @param path without the query
 * @param search the query with its `?`; empty if there is none
 */
export function publicPage(path: string, search: string): PageChoice | undefined {
  const first = firstOf(path);
  if (first === 'forgot') return { page: 'forgot' };
  if (first === 'reset') return { page: 'reset' };
  if (first === 'invitation') return { page: 'invitation' };
  if (/^\/email\/confirm(\/|$)/i.test(path)) return { page: 'confirm' };
  if (first === 'verify') return { page: 'verify' };
  if (first === 'login') return { page: loginPage(search) };
  return undefined;
}

/**
 * Chooses the page for all other paths: the console for a signed-in person, the sign-in page for any other browser
 * (specification, 2; `decisions.md`, Signing in, 7).
 */
export function pageForSession(path: string, search: string, isSignedIn: boolean): PageChoice {
  const first = firstOf(path);
  if (isSignedIn) return { page: 'console' };
  if (first === 'org' || first === 'me') return { goTo: `/login?redirect=${encodeURIComponent(path + search)}` };
  return { page: loginPage(search) };
}

const firstOf = (path: string): string => path.toLowerCase().split('/')[1] ?? '';

/**
 * The sign-in page that shows the error in the query's first `error` parameter, and the hint for the first `reason`
 * parameter. The script of the page reads the same parameters.
 */
function loginPage(search: string): string {
  const query = new URLSearchParams(search);
  const error = query.get('error') ?? '';
  const named = ['google', 'sso', 'account'].includes(error) ? `.${error}` : '';
  const reason = error === 'account' && query.get('reason') === 'limit-exceeded' ? '.limit' : '';
  return `login${named}${reason}${search.includes('from_rns') ? '.migrated' : ''}`;
}
