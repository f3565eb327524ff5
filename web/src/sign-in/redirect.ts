/**
 * Where to go after logging in: a path on our own origin, or an address of an allowed one; anything else is `/`
 * (`decisions.md`, Signing in, 3). What is answered is the very string that was checked, so that nobody reads it differently.
 */
export function redirectTo(
  value: string | null,
  { origin, origins }: Readonly<{ origin: string; origins: readonly string[] }>,
): string {
  if (!value || suspicious.test(value) || !written.test(value)) return '/';
  const url = URL.parse(value, origin);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return '/';
  if (url.origin === origin) return onOrigin(url, origin);
  return origins.includes(url.origin) ? url.href : '/';
}

/** Control characters and backslashes: browsers read them in ways of their own. */
// eslint-disable-next-line no-control-regex
const suspicious = /[\u0000-\u001f\u007f\\]/;

/** A path from the root, or a whole address: nothing that a parser would have to guess about, such as `http:999`. */
const written = /^(\/(?!\/)|https?:\/\/[^/])/i;

/** A path that begins with two slashes would be another host when it is read again. */
function onOrigin({ pathname, search, hash }: URL, origin: string): string {
  const path = `${pathname}${search}${hash}`;
  return URL.parse(path, origin)?.origin === origin ? path : '/';
}
