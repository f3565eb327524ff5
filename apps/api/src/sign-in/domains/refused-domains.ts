import listedProviders from 'email-providers/all.json';
import { parse } from 'tldts';

/**
 * The date of the shipped lists: of public suffixes (package `tldts`) and of mail providers (package
 * `email-providers`). A spec compares the versions of the packages with these versions.
 */
export const shippedLists = { date: '2026-09-07', tldts: '7.5.5', 'email-providers': '2.26.0' } as const;

/** Mail providers that the package does not list. */
const moreProviders = [
  ...['duck.com', 'elisanet.fi', 'fastmail.com', 'fastmail.fm', 'kolumbus.fi', 'pp.inet.fi', 'saunalahti.fi'],
  ...['tuta.com', 'tuta.io', 'tutamail.com', 'tutanota.com', 'tutanota.de'],
];
const providers: ReadonlySet<string> = new Set([...listedProviders, ...moreProviders]);

/** The maximum length of a domain: a name in DNS has at most 253 characters, with `_charter-challenge.` before it. */
const LENGTH_MAX = 253 - '_charter-challenge.'.length;

/** Why no organization can own a domain. */
type DomainFlaw = 'public-suffix' | 'mail-provider' | 'unknown-suffix' | 'too-long';

/**
 * Why no organization can own a domain; undefined if an organization can own it. A subdomain of a mail provider's
 * domain also belongs to the provider.
 */
export function domainFlaw(domain: string): DomainFlaw | undefined {
  if (domain.length > LENGTH_MAX) return 'too-long';
  const { domain: registered, isIcann, isPrivate } = parse(domain, { allowPrivateDomains: true });
  if (!isIcann && !isPrivate) return 'unknown-suffix';
  if (registered === null) return 'public-suffix';
  return providers.has(domain) || providers.has(registered) ? 'mail-provider' : undefined;
}
