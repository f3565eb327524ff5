import { Refused, RevisionMismatch } from '@charter/aggregates';
import type { Charter } from '@charter/application';
import type { Envelope } from '@charter/event-log';
import { noSuchDomain, noSuchOrganization, organizationStream } from '@charter/organization';
import { ProblemError } from '../../http/problems/problem';
import type { Clock } from '../../process/parts/clock';
import type { OrganizationAccess } from '../../process/parts/organization-access';
import { lookUpRecord, type RecordLookup, recordFor } from './dns-challenge';
import { emailDomainIn, releaseUnlessProven, unlessUnreadable } from './domain-trust';

type Claiming = Pick<Charter, 'database' | 'organizations'> & Clock;
type Proving = Claiming & Pick<Charter, 'settings' | 'keyFor'> & Pick<OrganizationAccess, 'commands'>;

/**
 * Looks for the DNS record of a claimed domain, and records the proof. First claims the domain in the tables, because
 * an organization's stream does not show whether another organization has proven the domain. The first proof wins. If
 * the command is refused, releases the claim. If the event log does not answer, the claim stays, because the command
 * may have succeeded.
 * @throws Refused `no-such-domain`, `no-such-organization`; ProblemError 409 `not-proven`, `domain-taken`; 503
 */
export async function proveDomain(runtime: Proving, id: string, domain: string, context: Envelope): Promise<void> {
  const { database, commands, now } = runtime;
  // Charter sends DNS queries and executes the command only for claimed domains. Otherwise a simultaneous request could
  // claim the domain, and the command would record a proof without a DNS record.
  await requireClaim(runtime, id, domain);
  await requireRecord(runtime, id, domain);
  const claim = await claimDomain(runtime, id, domain, now());
  if (claim === 'taken')
    throw new ProblemError(409, 'domain-taken', `Another organization has already proven ${domain}.`, { domain });
  // A daily check that ends meanwhile sees that the record is found again.
  await database.provenDomains.recordCheck({ domain, organization: id, missing: null }, now());
  await commands.execute(id, { type: 'ProveEmailDomain', data: { domain } }, context).catch(async (error: unknown) => {
    const isRefused = error instanceof Refused || error instanceof RevisionMismatch;
    // Another request may have used this claim to prove the domain for the same organization.
    if (isRefused && claim === 'new') await releaseUnlessProven(runtime, id, domain);
    throw error;
  });
  // A refused request of the same organization may have released the claim meanwhile.
  await database.provenDomains.claim(domain, id, now());
}

const requireClaim = ({ organizations }: Proving, id: string, domain: string): Promise<void> =>
  organizations.query(organizationStream(id), ({ state }) => {
    if (!emailDomainIn(state, domain)) throw new Refused(state.name === '' ? noSuchOrganization : noSuchDomain);
  });

async function requireRecord(runtime: Proving, id: string, domain: string): Promise<void> {
  const record = recordFor(runtime, id, domain);
  const why = await lookUpRecord(runtime.settings, record);
  if (why !== 'found') throw new ProblemError(409, 'not-proven', sentences[why](record.name), { domain, why });
}

const sentences: Readonly<Record<Exclude<RecordLookup, 'found'>, (name: string) => string>> = {
  absent: (name) => `There is no TXT record with the value of this claim at ${name}.`,
  redirected: (name) => `${name} is an alias of another name (CNAME). Publish the TXT record at this name itself.`,
  'too-many': (name) => `There are too many TXT records at ${name}. Publish only the record of this claim there.`,
  unreachable: (name) => `The DNS servers gave no valid answer about ${name} in time. Try again later.`,
};

/**
 * The number of milliseconds after which a claim without a recorded proof is abandoned: the process that claimed the
 * domain has crashed before it appended the event.
 */
const ABANDONED_MS = 60_000;

/**
 * Claims the domain like `ProvenDomains.claim`, even if another organization has claimed the domain without a proof.
 * @param checked the moment of the last check in milliseconds since 1970
 */
export async function claimDomain(
  runtime: Claiming,
  id: string,
  domain: string,
  checked: number,
): Promise<'new' | 'known' | 'taken'> {
  const { provenDomains } = runtime.database;
  const outcome = await provenDomains.claim(domain, id, checked);
  const holder = outcome === 'taken' ? await provenDomains.find(domain) : undefined;
  if (!holder || !(await isAbandoned(runtime, holder))) return outcome;
  await provenDomains.takeBack(domain, holder.organization);
  return provenDomains.claim(domain, id, checked);
}

/** Whether the holder has no proof of the domain. A closed organization proves nothing (`decisions.md`). */
const isAbandoned = async (
  { organizations, now }: Claiming,
  { domain, organization, checked }: Readonly<{ domain: string; organization: string; checked: string }>,
): Promise<boolean> =>
  Date.parse(checked) < now() - ABANDONED_MS &&
  unlessUnreadable(
    organizations.query(
      organizationStream(organization),
      ({ state }) => Boolean(state.closed) || !emailDomainIn(state, domain)?.proven,
    ),
    false, // the history may contain the proof
  );
