/** The identifiers with which a person may sign in (`decisions.md`, Signing in, 1). */
export type Identifier = Readonly<{ email: string }> | Readonly<{ username: string }>;

/**
 * Parses a text with an `@` as an e-mail address, and any other text as a username. A username contains no `@`, so a
 * text is never both an address and a username.
 */
export function identifierOf(text: string): Identifier | undefined {
  if (text.includes('@')) {
    const email = canonicalEmail(text);
    return email === undefined ? undefined : { email };
  }
  const username = canonicalUsername(text);
  return username === undefined ? undefined : { username };
}

/**
 * The canonical form of an address, which Charter stores, compares and uses for mails. Undefined if Charter does not
 * accept the address.
 *
 * - The form has no space at its ends, is in Unicode form NFC, and is in lower case. The part before the `@` is also in
 *   lower case, because the mail services of today ignore upper and lower case there.
 * - The form has one `@`. The part before the `@` is an RFC 5322 dot-atom of at most 64 bytes. This part may contain
 *   characters beyond ASCII (RFC 6531), but no quotes and no comments.
 * - The part after the `@` is a host in ASCII, as browsers write it (WHATWG URL). For example, `münchen.example`
 *   becomes `xn--mnchen-3ya.example`. An IP address, a port, or a dot at the end is not allowed.
 * - The form has 3 to 254 characters in all (RFC 5321).
 */
export function canonicalEmail(text: string): string | undefined {
  if (text.length > LENGTH_READ_MAX) return undefined;
  const [local = '', domain = '', ...more] = folded(text).split('@');
  const host = more.length === 0 ? asciiHost(domain) : undefined;
  if (host === undefined || !dotAtom.test(local) || Buffer.byteLength(local) > LOCAL_BYTES_MAX) return undefined;
  const email = `${local}@${host}`;
  return email.length <= EMAIL_LENGTH_MAX ? email : undefined;
}

/**
 * The canonical form of a username, which Charter stores and compares. Undefined if Charter does not accept the
 * username. The form has no space at its ends, is in Unicode form NFC, and is in lower case. The form has 2 to 64
 * letters, digits, dots, underscores and hyphens; the first character is a letter or digit. A username contains no `@`,
 * so a username never equals an e-mail address.
 */
export function canonicalUsername(text: string): string | undefined {
  if (text.length > LENGTH_READ_MAX) return undefined;
  const username = folded(text);
  const { length } = Array.from(username);
  return length >= 2 && length <= 64 && usernameWritten.test(username) ? username : undefined;
}

const folded = (text: string) => text.trim().normalize('NFC').toLowerCase().normalize('NFC');

/**
 * The host in the form that the WHATWG URL parser writes. Refuses characters that have a special meaning in a URL,
 * before the URL parser runs.
 */
function asciiHost(domain: string): string | undefined {
  if (domain === '' || /[\s\p{C}/\\?#:%[\]]/u.test(domain)) return undefined;
  const host = URL.parse(`http://${domain}`)?.hostname ?? '';
  const isHost = host !== '' && !host.endsWith('.') && !/^[\d.]+$/.test(host);
  return isHost && host.length <= EMAIL_LENGTH_MAX ? host : undefined;
}

/**
 * The characters of an atom: no spaces, no control or invisible characters, and none of the characters that separate
 * the parts of an address.
 */
const dotAtom = /^[^\s\p{C}"(),.:;<>@[\\\]]+(\.[^\s\p{C}"(),.:;<>@[\\\]]+)*$/u;
const usernameWritten = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u;

const EMAIL_LENGTH_MAX = 254;
const LOCAL_BYTES_MAX = 64;
/**
 * The maximum number of characters of an entered identifier. Charter refuses a longer text before it parses the text.
 */
const LENGTH_READ_MAX = 1_000;
