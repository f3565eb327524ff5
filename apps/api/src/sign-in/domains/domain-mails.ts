import type { Charter } from '@charter/application';
import type { ProvenDomain } from '@charter/database';
import type { Moment } from '@charter/decider';
import { organizationStream } from '@charter/organization';
import { deterministicId } from '../../http/request-context';
import type { Background } from '../../process/parts/background';

type DomainNotice =
  /**
   * `since`: the moment of the first check without the record. If another organization has the domain (`isTaken`),
   * the moment of the proof that the organization loses.
   */
  | Readonly<{ kind: 'domain-lost'; since: Moment; isTaken: boolean }>
  /**
   * `stage`: the number of days without the record. Each stage sends one mail to each owner. `until`: the moment until
   * which the domain works.
   */
  | Readonly<{ kind: 'domain-lapsing'; missing: Moment; stage: number; until: Moment }>
  /** A person of the domain found no free seat. On each day (UTC), an owner gets at most one mail per organization. */
  | Readonly<{ kind: 'no-free-seat'; at: Moment }>;

/**
 * Mails the owners of the organization. The owner and the cause of a mail determine its id. A repeated check, or a
 * further sign-in on the same day, therefore sends no second mail. The mail names no person.
 */
export async function mailOwners(
  { database, organizations, mails }: Pick<Charter, 'database' | 'organizations'> & Pick<Background, 'mails'>,
  { domain, organization }: Pick<ProvenDomain, 'domain' | 'organization'>,
  notice: DomainNotice,
): Promise<void> {
  const owners = await organizations.query(organizationStream(organization), ({ state }) =>
    Object.entries(state.members).flatMap(([id, { role }]) => (role === 'owner' ? [id] : [])),
  );
  for (const { id: account, state, email, language } of await database.people.accounts.byIds(owners)) {
    if (state !== 'active' || email === null) continue;
    const id = deterministicId('domain-mail', ...causeOf(notice, domain, organization), account);
    if (await database.mails.find(id)) continue;
    const until = notice.kind === 'domain-lapsing' ? notice.until : undefined;
    const isTaken = notice.kind === 'domain-lost' && notice.isTaken;
    await mails.send({ id, kind: notice.kind, to: email, account, language, domain, until, isTaken });
  }
}

/** The cause of a notice. An owner gets one mail for each cause. */
function causeOf(notice: DomainNotice, domain: string, organization: string): readonly string[] {
  const { kind } = notice;
  if (kind === 'no-free-seat') return [organization, kind, dayOf(notice.at)];
  if (kind === 'domain-lost') return [domain, organization, notice.since, kind, ''];
  return [domain, organization, notice.missing, kind, String(notice.stage)];
}
const dayOf = (moment: Moment) => moment.slice(0, 'YYYY-MM-DD'.length);
