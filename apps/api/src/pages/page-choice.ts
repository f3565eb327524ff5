/** The result for a path: a page of the build (`web/README.md`), or a redirect. */
export type PageChoice = Readonly<{ page: string; isPrivate: boolean }> | Readonly<{ goTo: string }>;

/**
 * Pages that do not depend on a session, so that they work while sessions cannot be read. Undefined for other paths.
 * `/forgot` takes precedence (specification, 2).
 * @param path without the query
 * @param search the query with its `?`, or nothing
 */
export function publicPage(path: string, search: string): PageChoice | undefined {
  const first = firstOf(path);
  if (first === 'forgot') return { page: 'forgot', isPrivate: false };
  // The address of this page contains a secret (`acceptance.md` B10).
  if (first === 'reset') return { page: 'reset', isPrivate: true };
  if (/^\/email\/confirm(\/|$)/i.test(path)) return { page: 'confirm', isPrivate: true };
  if (first === 'login') return { page: loginPage(search), isPrivate: false };
  return undefined;
}

/**
 * All other paths: the sign-in page for signed-out browsers, the console for signed-in persons (specification, 2;
 * `decisions.md`, Signing in, 7).
 */
export function pageForSession(path: string, search: string, isSignedIn: boolean): PageChoice {
  const first = firstOf(path);
  if (isSignedIn) return { page: 'console', isPrivate: true };
  if (first === 'org' || first === 'me') return { goTo: `/login?redirect=${encodeURIComponent(path + search)}` };
  return { page: loginPage(search), isPrivate: false };
}

const firstOf = (path: string): string => path.toLowerCase().split('/')[1] ?? '';

/** The error on the page depends only on the first value in the query, as in the script of the page. */
function loginPage(search: string): string {
  const error = new URLSearchParams(search).get('error') ?? '';
  const named = ['google', 'sso', 'account'].includes(error) ? `.${error}` : '';
  return `login${named}${search.includes('from_rns') ? '.migrated' : ''}`;
}
