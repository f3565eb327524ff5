/**
 * The address that the browser opens after a log-in: a path on our own origin, or an address of an allowed origin. For
 * all other values the result is `/` (`decisions.md`, Signing in, 3 and 18). The specs of this function and of the
 * server test these rules with the same table of examples. The function returns the parsed URL, so that another parser
 * cannot read the value differently.
 */
export function redirectTo(
  value: string | null,
  { origin, origins }: Readonly<{ origin: string; origins: readonly string[] }>,
): string {
  if (!value || value.length > LENGTH_MAX || suspicious.test(value) || !written.test(value)) return '/';
  const url = URL.parse(value, origin);
  if (!url || url.username || url.password) return '/';
  if (likened(url.origin) === likened(origin)) return onOrigin(url, origin);
  return origins.includes(url.origin) ? url.href : '/';
}

/** Matches invisible characters and backslashes, which browsers interpret differently. */
const suspicious = /[\p{C}\\]/u;

/** Matches a path that begins with one slash, or a complete URL, but not an ambiguous form such as `http:999`. */
const written = /^(\/(?!\/)|https?:\/\/[^/])/i;

/** The maximum length of an address in characters, because some browsers and proxies refuse longer addresses. */
const LENGTH_MAX = 2_000;

/** Replaces the loopback addresses 127.0.0.1 and [::1] by `localhost`. */
const likened = (origin: string) => origin.replace(/\/(127\.0\.0\.1|\[::1])(?=:|$)/, '/localhost');

/**
 * The path of a URL on our origin; `/` if a parser would read this path as an address on another host, for example with
 * two leading slashes.
 */
function onOrigin({ pathname, search, hash }: URL, origin: string): string {
  const path = `${pathname}${search}${hash}`;
  return URL.parse(path, origin)?.origin === origin ? path : '/';
}

/**
 * Loads the document of an address. If the address differs from the page's own address only in the fragment, the
 * browser would keep the sign-in page. So the function then reloads the page.
 */
export function openDocument(location: Pick<Location, 'href' | 'assign' | 'reload'>, address: string): void {
  const [here] = location.href.split('#');
  const [there, fragment] = new URL(address, here).href.split('#');
  location.assign(address);
  if (there === here && fragment !== undefined) location.reload();
}
