/** What somebody is to see: a page of the build (`web/README.md`), or another address first. */
export type PageChoice = Readonly<{ page: string; isPrivate: boolean }> | Readonly<{ goTo: string }>;

/**
 * Pages that are the same for everybody, so that they are there whatever becomes of sessions; undefined: it is one of
 * those below. `/forgot` is asked first (specification, 2).
 * @param path without the query @param search the query with its `?`, or nothing
 */
export function publicPage(path: string, search: string): PageChoice | undefined {
  const first = firstOf(path);
  if (first === 'forgot') return { page: 'forgot', isPrivate: false };
  if (first === 'reset') return { page: 'reset', isPrivate: true }; // its address holds a secret (`acceptance.md` B10)
  if (/^\/email\/confirm(\/|$)/i.test(path)) return { page: 'confirm', isPrivate: true };
  if (first === 'login') return { page: loginPage(search), isPrivate: false };
  return undefined;
}

/**
 * Wherever else somebody comes: who is signed out sees the sign-in page, and who is signed in the console (specification, 2;
 * `decisions.md`, Signing in, 7).
 */
export function pageForSession(path: string, search: string, isSignedIn: boolean): PageChoice {
  const first = firstOf(path);
  if (isSignedIn) return { page: 'console', isPrivate: true };
  if (first === 'org' || first === 'me') return { goTo: `/login?redirect=${encodeURIComponent(path + search)}` };
  return { page: loginPage(search), isPrivate: false };
}

const firstOf = (path: string): string => path.toLowerCase().split('/')[1] ?? '';

/** The error is read from the query alone, and its first value counts, as in the page's own script. */
function loginPage(search: string): string {
  const error = new URLSearchParams(search).get('error') ?? '';
  const named = ['google', 'sso', 'account'].includes(error) ? `.${error}` : '';
  return `login${named}${search.includes('from_rns') ? '.migrated' : ''}`;
}
