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
  const address = addressOf(value.trim());
  const url = URL.parse(address);
  if (!url || /[@:]/.test(writtenAuthority(address))) return null;
  return isName(url.hostname) ? url.hostname : null;
}

/** The rule that an address breaks, in words. Only for an address of which `hostnameOf` makes no hostname. */
export function hostnameFault(value: string): string {
  const text = value.trim();
  if (text === '') return 'must not be empty';
  if (value.length > ADDRESS_CHARACTERS_MAX) return `must not be longer than ${ADDRESS_CHARACTERS_MAX} characters`;
  const authority = writtenAuthority(addressOf(text));
  const host = URL.parse(addressOf(text))?.hostname ?? authority;
  return faults.find(([, isBroken]) => isBroken({ text, authority, host }))?.[0] ?? OTHER;
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

/** The text as an address with a scheme. */
const addressOf = (text: string) => (/^https?:\/\//.test(text) ? text : `https://${text}`);

type Written = Readonly<{ text: string; authority: string; host: string }>;

/** The order matters, because an address can break several rules. */
const faults: readonly (readonly [fault: string, isBroken: (written: Written) => boolean])[] = [
  [
    'must begin with https:// or http://, or with the hostname itself',
    ({ text }) => /^(?!https?:)[a-z]+:\/\//i.test(text),
  ],
  ['must not contain a user name or "@"', ({ authority }) => authority.includes('@')],
  ['must be a name, not an IP address', ({ host }) => /^\[|^[\d.]+$/.test(host)],
  ['must not contain a port or ":"', ({ authority }) => authority.includes(':')],
  ['must not contain spaces', ({ authority }) => /\s/.test(authority)],
  ['must not end with a dot', ({ host }) => host.endsWith('.')],
  ['contains a part with "xn--" that is no valid name', ({ host }) => /(^|\.)xn--/i.test(host)],
  ['must contain a dot, as in www.example.com', ({ host }) => /^[a-z\d-]+$/i.test(host)],
];
const OTHER = 'contains characters that no hostname may contain; a hostname is a name such as www.example.com';
