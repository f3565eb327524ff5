import { domainToASCII, domainToUnicode } from 'node:url';

/** Far longer than any address that people paste; beyond it nothing is parsed at all. */
const ADDRESS_CHARACTERS_MAX = 8192;

/**
 * The hostname that a person meant, in lower-case ASCII, or null (`decisions.md` 16, `acceptance.md` §6).
 * Refused: no dot (unless localhost), user info, a port, an IP address, a trailing dot, NUL, and whatever `URL` refuses.
 */
export function hostnameOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > ADDRESS_CHARACTERS_MAX || value.includes('\0')) return null;
  const text = value.trim();
  const address = /^https?:\/\//.test(text) ? text : `https://${text}`;
  const url = URL.parse(address);
  if (!url || /[@:]/.test(writtenAuthority(address))) return null;
  return isName(url.hostname) ? url.hostname : null;
}

/** As people read it; the ASCII form wherever the two would not lead to the same name. */
export function unicodeOf(hostname: string): string {
  const unicode = domainToUnicode(hostname);
  return domainToASCII(unicode) === hostname ? unicode : hostname;
}

/** As written, for `url.port` is empty for a scheme's own port, and `url.username` for empty user info. */
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

/** Newer parsers let labels through that begin with `xn--` and mean nothing. Refused, so that all runtimes agree. */
const decodes = (hostname: string) =>
  !hostname.includes('xn--') ||
  !domainToUnicode(hostname)
    .split('.')
    .some((label) => label === '' || label.startsWith('xn--'));
