import { createHmac } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type { Charter } from '@charter/application';
import { REQUEST_MS } from '../federation/egress';

/** The DNS record that proves a domain. */
type DomainRecord = Readonly<{ name: string; value: string }>;

/** The value is different for each organization, and does not reveal the organization's id. */
export function recordFor({ keyFor }: Pick<Charter, 'keyFor'>, organization: string, domain: string): DomainRecord {
  const secret = createHmac('sha256', keyFor('domains')).update(`${organization} ${domain}`).digest('base64url');
  return { name: `_charter-challenge.${domain}`, value: `charter-domain=${secret}` };
}

/**
 * The result of a look-up. `absent`: the name has no such record. `redirected`: the name is an alias (CNAME) of another
 * name, whose owner may be a stranger. `too-many`: the name has more than `RECORDS_MAX` records. `unreachable`: no DNS
 * server gave a valid answer in time.
 */
export type RecordLookup = 'found' | 'absent' | 'redirected' | 'too-many' | 'unreachable';

/** The maximum number of TXT records at the name. */
const RECORDS_MAX = 50;

/**
 * Looks for the record. Queries only the DNS servers of the settings or of the system, and never a server that a caller
 * names. The look-up ends after `REQUEST_MS`, like each request to an OpenID provider. DNS itself bounds the size of an
 * answer to 64 KiB.
 */
export async function lookUpRecord(
  { dnsServers }: Pick<Charter['settings'], 'dnsServers'>,
  { name, value }: DomainRecord,
): Promise<RecordLookup> {
  const resolver = new Resolver({ timeout: REQUEST_MS / 3, tries: 2 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  const timer = setTimeout(() => resolver.cancel(), REQUEST_MS);
  try {
    const [alias, texts] = await Promise.all([
      answerOf(resolver.resolveCname(name)),
      answerOf(resolver.resolveTxt(name)),
    ]);
    if (alias === 'unreachable' || texts === 'unreachable') return 'unreachable';
    if (alias.length > 0) return 'redirected';
    if (texts.length > RECORDS_MAX) return 'too-many';
    return texts.some((parts) => parts.join('') === value) ? 'found' : 'absent';
  } finally {
    clearTimeout(timer);
  }
}

/** The records of an answer; none if the server says that the name or the record does not exist. */
const answerOf = <Item>(answer: Promise<readonly Item[]>): Promise<readonly Item[] | 'unreachable'> =>
  answer.catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENODATA' || code === 'ENOTFOUND' ? [] : 'unreachable';
  });
