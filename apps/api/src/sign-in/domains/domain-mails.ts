import type { Charter } from '@charter/application';
import type { ProvenDomain } from '@charter/database';
import type { Moment } from '@charter/decider';
import { organizationStream } from '@charter/organization';
import { deterministicId } from '../../http/request-context';
import type { Background } from '../../process/parts/background';
import { graceEnd } from './printed-domain';

type DomainNotice =
  | Readonly<{ kind: 'domain-lost'; missing: Moment }>
  /** `stage`: the number of days without the record. Each stage sends one mail to each owner. */
  | Readonly<{ kind: 'domain-lapsing'; missing: Moment; stage: number }>;

/**
 * Mails the owners of the organization. The id of each mail is derived from the domain, the stage and the owner, so
 * that a repeated check sends no second mail.
 */
export async function mailOwners(
  { database, organizations, mails }: Pick<Charter, 'database' | 'organizations'> & Pick<Background, 'mails'>,
  { domain, organization }: Pick<ProvenDomain, 'domain' | 'organization'>,
  notice: DomainNotice,
): Promise<void> {
  const { kind, missing } = notice;
  const stage = kind === 'domain-lapsing' ? String(notice.stage) : '';
  const owners = await organizations.query(organizationStream(organization), ({ state }) =>
    Object.entries(state.members).flatMap(([id, { role }]) => (role === 'owner' ? [id] : [])),
  );
  for (const { id: account, state, email, language } of await database.people.accounts.byIds(owners)) {
    if (state !== 'active' || email === null) continue;
    const id = deterministicId('domain-mail', domain, organization, missing, kind, stage, account);
    if (await database.mails.find(id)) continue;
    await mails.send({ id, kind, to: email, account, language, domain, until: graceEnd(missing) });
  }
}
