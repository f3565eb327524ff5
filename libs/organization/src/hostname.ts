import { domainToASCII, domainToUnicode } from 'node:url';

/** The maximum length of an address. Charter does not parse longer addresses. */
const ADDRESS_CHARACTERS_MAX = 8192;

/**
 * The hostname of an address that a person typed or pasted, in lower-case ASCII (`decisions.md` 16, `acceptance.md`
 * §6). Null if `URL` refuses the address, or if the address contains user info, a port, an IP address or NUL. Also null
 * if the hostname ends with a dot, or contains no dot and is not `localhost`.
 */
export function hostnameOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > ADDRESS_CHARACTERS_MAX || value.includes('\0')) return null;
  const text = value.trim();
  const address = /^https?:\/\//.test(text) ? text : `https://${text}`;
  const url = URL.parse(address);
  if (!url || /[@:]/.test(writtenAuthority(address))) return null;
  return isName(url.hostname) ? url.hostname : null;
}

/**
 * The Unicode form of a hostname, for people. Returns the ASCII form if the Unicode form does not convert back to the
 * same hostname.
 */
export function unicodeOf(hostname: string): string {
  const unicode = domainToUnicode(hostname);
  return domainToASCII(unicode) === hostname ? unicode : hostname;
}

/**
 * The part of an address with user info, host and port, exactly as the person wrote it. `URL` loses details: `url.port`
 * is empty for a scheme's default port, and `url.username` is empty for empty user info.
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
 * Newer parsers accept labels that begin with `xn--` but do not decode, or decode to an empty text. Charter refuses
 * labels that do not decode, so that older and newer parsers give the same result.
 */
const decodes = (hostname: string) =>
  !hostname.includes('xn--') ||
  !domainToUnicode(hostname)
    .split('.')
    .some((label) => label === '' || label.startsWith('xn--'));
