/** The origins to which a redirect after sign-in may lead. */
export type RedirectRules = Readonly<{
  /** The origin under which browsers reach Charter. */
  publicUrl: string;
  /** Further origins from the settings (`REDIRECT_ORIGINS`). */
  origins: readonly string[];
}>;

/**
 * The safe target of a requested redirect: a path on the public origin, or a complete address on an origin in the
 * settings. For every other request the target is `/` (`decisions.md`, Signing in, 3 and 18; `acceptance.md` E).
 * Returns the address as the URL parser writes it, so that the browser opens exactly the checked address.
 */
export function safeRedirect(requested: unknown, { publicUrl, origins }: RedirectRules): string {
  if (
    typeof requested !== 'string' ||
    requested.length > LENGTH_MAX ||
    unsafe.test(requested) ||
    !written.test(requested)
  )
    return '/';
  const url = URL.parse(requested, publicUrl);
  if (!url || url.username !== '' || url.password !== '') return '/';
  if (originsLike(publicUrl).includes(url.origin)) return ownPath(url, publicUrl);
  return origins.includes(url.origin) ? url.href : '/';
}

/**
 * Parses the path a second time and returns `/` if the result differs. For example, `/.//evil.example` parses to the
 * path `//evil.example`, which a second parse reads as the host `evil.example`.
 */
function ownPath({ pathname, search, hash }: URL, publicUrl: string): string {
  const path = `${pathname}${search}${hash}`;
  const again = URL.parse(path, publicUrl);
  return again?.origin === new URL(publicUrl).origin && again.pathname === pathname ? path : '/';
}

/** The origin itself and, if it is on loopback, the other names of the same host. */
export function originsLike(publicUrl: string): readonly string[] {
  const { protocol, hostname, port, origin } = new URL(publicUrl);
  if (!loopback.includes(hostname)) return [origin];
  return loopback.map((name) => new URL(`${protocol}//${name}${port && `:${port}`}`).origin);
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Control characters and backslashes, which browsers and parsers interpret differently. */
const unsafe = /[\p{C}\\]/u;

/** A path that begins with `/`, or a complete address: the two forms that all parsers read in the same way. */
const written = /^(\/(?!\/)|https?:\/\/[^/])/i;

/** The maximum length of a redirect; longer addresses exceed the limits of some browsers and proxies. */
const LENGTH_MAX = 2_000;
