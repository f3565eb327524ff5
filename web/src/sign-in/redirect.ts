/**
 * Where to go after logging in: a path on our own origin, or an address of an allowed one; anything else is `/`
 * (`decisions.md`, Signing in, 3 and 18). The rules are the server's, held to one table with them. What is answered is the
 * very string that was checked, so that nobody reads it differently.
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

/** Control and other unseen characters, and backslashes: browsers read them in ways of their own. */
const suspicious = /[\p{C}\\]/u;

/** A path from the root, or a whole address: nothing that a parser would have to guess about, such as `http:999`. */
const written = /^(\/(?!\/)|https?:\/\/[^/])/i;

/** Longer addresses do not fit into every browser's and proxy's line. */
const LENGTH_MAX = 2_000;

/** On loopback, one name for the three. */
const likened = (origin: string) => origin.replace(/\/(127\.0\.0\.1|\[::1])(?=:|$)/, '/localhost');

/** A path that begins with two slashes would be another host when it is read again. */
function onOrigin({ pathname, search, hash }: URL, origin: string): string {
  const path = `${pathname}${search}${hash}`;
  return URL.parse(path, origin)?.origin === origin ? path : '/';
}
