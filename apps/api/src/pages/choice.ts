/** What somebody is to see: a page of the build (`web/README.md`), or another address first. */
export type Choice = Readonly<{ page: string; isPrivate: boolean }> | Readonly<{ goTo: string }>;

/**
 * `/forgot` is asked first; who is signed out sees the sign-in page wherever else they come, and who is signed in the console
 * (specification, 2; `decisions.md`, Signing in, 7).
 * @param path without the query @param search the query with its `?`, or nothing
 */
export function choiceFor(path: string, search: string, isSignedIn: boolean): Choice {
  const [first = ''] = path.toLowerCase().split('/').slice(1);
  if (first === 'forgot') return { page: 'forgot', isPrivate: false };
  if (first === 'reset') return { page: 'reset', isPrivate: true }; // its address holds a secret (`acceptance.md` B10)
  if (/^\/email\/confirm(\/|$)/i.test(path)) return { page: 'confirm', isPrivate: true };
  if (first === 'login') return { page: loginPage(search), isPrivate: false };
  if (isSignedIn) return { page: 'console', isPrivate: true };
  if (first === 'org' || first === 'me') return { goTo: `/login?redirect=${encodeURIComponent(path + search)}` };
  return { page: loginPage(search), isPrivate: false };
}

/** The error is read from the query alone, and its first value counts, as in the page's own script. */
function loginPage(search: string): string {
  const error = new URLSearchParams(search).get('error') ?? '';
  const named = ['google', 'sso', 'account'].includes(error) ? `.${error}` : '';
  return `login${named}${search.includes('from_rns') ? '.migrated' : ''}`;
}
