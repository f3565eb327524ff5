import { randomUUID } from 'node:crypto';
import { Refused } from '@charter/aggregates';
import type { Charter } from '@charter/application';
import { momentAt } from '@charter/decider';
import type { Account } from '@charter/identity';
import type { Request } from 'express';
import { requestIdOf } from '../../http/request-id';
import { acceptMembership, introduce } from '../../organizations/members/introductions';
import type { Clock } from '../../process/parts/clock';
import type { Background } from '../../process/parts/background';
import type { OrganizationAccess } from '../../process/parts/organization-access';
import { retrying } from '../../process/work/background-work';
import { mailOwners } from './domain-mails';
import { domainOfAddress, trustedDomain } from './domain-trust';

/**
 * Makes the account a member of the organization, if the organization has proven the domain of the account's verified
 * address, and has switched on automatic membership. The organization's own provider has just identified the person, so
 * the organization may show the person's name. If the organization has no free seat, its owners get a mail.
 */
export async function joinByDomain(
  runtime: Pick<Charter, 'database' | 'organizations'> &
    Clock &
    Pick<OrganizationAccess, 'commands'> &
    Pick<Background, 'backgroundWork' | 'mails'>,
  organization: string,
  account: Account,
  request: Request,
): Promise<'granted' | 'no-organization' | 'limit-exceeded'> {
  const domain = await automaticDomain(runtime, organization, account);
  if (domain === undefined) return 'no-organization';
  const member = account.id;
  const correlation = requestIdOf(request);
  const context = { actor, at: momentAt(runtime.now()), command: randomUUID(), correlation, causation: correlation };
  try {
    await runtime.commands.execute(
      organization,
      { type: 'AddMember', data: { member, role: 'member' } },
      { ...context, expected: undefined },
    );
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.refusal.refused === 'limit-exceeded') {
      const notice = { kind: 'no-free-seat', at: context.at } as const;
      const mail = () => mailOwners(runtime, { domain, organization }, notice);
      runtime.backgroundWork.add('notice', organization, retrying(mail));
      return 'limit-exceeded';
    }
    // A simultaneous sign-in, or an administrator, has just added the member.
    if (error.refusal.refused !== 'already-a-member') return 'no-organization';
  }
  await acceptMembership(runtime, organization, member);
  return 'granted';
}

/**
 * Lets the organization show the name of a member whom the automatic membership admits. The process may have crashed
 * after it added the member.
 */
export async function introduceByDomain(
  stores: Pick<Charter, 'database' | 'organizations'>,
  organization: string,
  account: Account,
): Promise<void> {
  if (await automaticDomain(stores, organization, account)) await introduce(stores, organization, account.id);
}

/**
 * The domain of the account's verified address; undefined if the organization does not make people of this domain its
 * members.
 */
async function automaticDomain(
  stores: Pick<Charter, 'database' | 'organizations'>,
  organization: string,
  { email, emailVerified }: Account,
): Promise<string | undefined> {
  if (email === null || !emailVerified) return undefined;
  const domain = domainOfAddress(email);
  const trusted = await trustedDomain(stores, domain);
  return trusted?.organization === organization && trusted.automaticMembership ? domain : undefined;
}

const actor = { kind: 'system', id: 'email-domain', powers: ['operator'] } as const;
