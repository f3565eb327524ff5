/** Where signing in may lead to. */
export type RedirectRules = Readonly<{
  /** The origin that people see. */
  publicUrl: string;
  /** Others that are named in the settings (`REDIRECT_ORIGINS`). */
  origins: readonly string[];
}>;

/**
 * What a browser may be sent to, made from what somebody wished for: a path on our own origin, the whole address on an origin
 * that the settings name, and `/` for everything else (`decisions.md`, Signing in, 3 and 18; `acceptance.md` E).
 * What is emitted is what was checked: written anew by the parser, and read once more.
 */
export function safeRedirect(wish: unknown, { publicUrl, origins }: RedirectRules): string {
  if (typeof wish !== 'string' || wish.length > LENGTH_MAX || unsafe.test(wish) || !written.test(wish)) return '/';
  const url = URL.parse(wish, publicUrl);
  if (!url || url.username !== '' || url.password !== '') return '/';
  if (originsLike(publicUrl).includes(url.origin)) return ownPath(url, publicUrl);
  return origins.includes(url.origin) ? url.href : '/';
}

/** `/.//evil.example` is a path to the parser, and another host to whoever reads it the second time. */
function ownPath({ pathname, search, hash }: URL, publicUrl: string): string {
  const path = `${pathname}${search}${hash}`;
  const again = URL.parse(path, publicUrl);
  return again?.origin === new URL(publicUrl).origin && again.pathname === pathname ? path : '/';
}

/** An origin, and on loopback the other names of the same one. */
export function originsLike(publicUrl: string): readonly string[] {
  const { protocol, hostname, port, origin } = new URL(publicUrl);
  if (!loopback.includes(hostname)) return [origin];
  return loopback.map((name) => new URL(`${protocol}//${name}${port && `:${port}`}`).origin);
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Control characters and backslashes: browsers and parsers disagree about what they mean. */
const unsafe = /[\p{C}\\]/u;

/** A path from the root, or a whole address: nothing that a parser would have to guess about. */
const written = /^(\/(?!\/)|https?:\/\/[^/])/i;

/** Longer addresses do not fit into every browser's and proxy's line. */
const LENGTH_MAX = 2_000;
