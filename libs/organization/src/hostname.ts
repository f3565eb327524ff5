import { domainToASCII, domainToUnicode } from 'node:url';

/** Far longer than any real address. Longer texts are not parsed. */
const ADDRESS_CHARACTERS_MAX = 8192;

/**
 * The hostname of a typed or pasted address, in lower-case ASCII (`decisions.md` 16, `acceptance.md` §6). Null: it has
 * no dot (unless localhost), or has user info, a port, an IP address, a trailing dot or NUL, or `URL` refuses it.
 */
export function hostnameOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > ADDRESS_CHARACTERS_MAX || value.includes('\0')) return null;
  const text = value.trim();
  const address = /^https?:\/\//.test(text) ? text : `https://${text}`;
  const url = URL.parse(address);
  if (!url || /[@:]/.test(writtenAuthority(address))) return null;
  return isName(url.hostname) ? url.hostname : null;
}

/** The Unicode form for people; the ASCII form when the two would not lead to the same name. */
export function unicodeOf(hostname: string): string {
  const unicode = domainToUnicode(hostname);
  return domainToASCII(unicode) === hostname ? unicode : hostname;
}

/**
 * The authority as written: `url.port` is empty for a scheme's default port, and `url.username` for empty user info.
 */
const writtenAuthority = (address: string) =>
  address
    .replace(/[\t\n\r]/g, '')
    .replace(/^https?:[/\\]*/, '')
    .split(/[/\\?#]/, 1)[0]!;

const isName = (hostname: string) =>
  (hostname.includes('.') || hostname === 'localhost') &&
  !hostname.endsWith('.') &&
  !isAddress(hostname) &&
  decodes(hostname);

const isAddress = (hostname: string) => hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);

/**
 * Newer parsers accept labels that begin with `xn--` and decode to nothing. They are refused, so that all runtimes
 * agree.
 */
const decodes = (hostname: string) =>
  !hostname.includes('xn--') ||
  !domainToUnicode(hostname)
    .split('.')
    .some((label) => label === '' || label.startsWith('xn--'));
