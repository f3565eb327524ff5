/** The origins that a redirect after sign-in may lead to. */
export type RedirectRules = Readonly<{
  /** The origin that browsers use. */
  publicUrl: string;
  /** Further origins from the settings (`REDIRECT_ORIGINS`). */
  origins: readonly string[];
}>;

/**
 * The safe target of a requested redirect: a path on our own origin, or the whole address on an origin of the settings.
 * Every other request gives `/` (`decisions.md`, Signing in, 3 and 18; `acceptance.md` E). The URL parser writes the
 * result, and the result is parsed once more, so that the browser opens the checked address.
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

/** `/.//evil.example` parses as a path the first time, and as another host the second time. */
function ownPath({ pathname, search, hash }: URL, publicUrl: string): string {
  const path = `${pathname}${search}${hash}`;
  const again = URL.parse(path, publicUrl);
  return again?.origin === new URL(publicUrl).origin && again.pathname === pathname ? path : '/';
}

/** The origin; on loopback with the other names of the same host. */
export function originsLike(publicUrl: string): readonly string[] {
  const { protocol, hostname, port, origin } = new URL(publicUrl);
  if (!loopback.includes(hostname)) return [origin];
  return loopback.map((name) => new URL(`${protocol}//${name}${port && `:${port}`}`).origin);
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Control characters and backslashes: browsers and parsers interpret them differently. */
const unsafe = /[\p{C}\\]/u;

/** A path from the root, or a whole address: forms that all parsers read alike. */
const written = /^(\/(?!\/)|https?:\/\/[^/])/i;

/** Longer addresses exceed the limits of some browsers and proxies. */
const LENGTH_MAX = 2_000;
