import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Refused } from '@charter/aggregates';
import type { Immutable } from '@charter/decider';
import type { Charter } from '@charter/application';
import type { Envelope } from '@charter/event-log';
import {
  auditors,
  type CommandData,
  domainOwners,
  noSuchDomain,
  noSuchOrganization,
  type Organization,
  organizationStream,
} from '@charter/organization';
import type { OrganizationQuery } from '@charter/organization-view';
import type { HistoryReader } from '../../history/read-audit';
import type { Asker } from '../../http/admission/gate';
import { ProblemError } from '../../http/problems/problem';
import { isPast, type QueryTime } from '../../organizations/organization-reader';
import { absenceOf, requireRole } from '../../organizations/require-role';
import { type Background, BACKGROUND } from '../../process/parts/background';
import { type Clock, CLOCK } from '../../process/parts/clock';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { STORES } from '../../process/parts/stores';
import { type ConfirmedCall, confirmOwner } from './confirm-owner';
import type { VerifiedDomain, VerifiedDomainPage } from './domain.answers';
import { releaseUnlessProven } from './domain-trust';
import { pastDomain, printedDomain } from './printed-domain';
import { proveDomain } from './prove-domain';
import { domainFlaw, shippedLists } from './refused-domains';

type Page = Readonly<{ after: string | undefined; limit: number }>;

/** Lists an organization's e-mail domains, now or at an earlier moment. */
export class ListDomains extends Query<VerifiedDomainPage> {
  constructor(
    readonly id: string,
    readonly when: QueryTime,
    readonly page: Page,
    readonly caller: Asker & HistoryReader,
  ) {
    super();
  }
}

@QueryHandler(ListDomains)
export class ListDomainsHandler implements IQueryHandler<ListDomains> {
  constructor(
    @Inject(STORES) private readonly stores: Charter,
    @Inject(ORGANIZATION_ACCESS) private readonly access: OrganizationAccess,
  ) {}

  async execute({ id, when, page, caller }: ListDomains) {
    // only auditors may read the domains of an earlier moment
    await requireRole(this.stores, id, caller.actor, isPast(when) ? auditors : domainOwners);
    if (isPast(when)) return this.atMoment(id, when, page, caller);
    const { names, next } = await this.stores.organizations.query(organizationStream(id), ({ state }) => {
      if (state.name === '') throw new Refused(noSuchOrganization); // an operator may ask about any id
      return pageOf(state, page);
    });
    const domains = await Promise.all(names.map((domain) => printedDomain(this.stores, id, domain)));
    return { domains: domains.filter((domain) => domain !== undefined), next }; // without those that were just released
  }

  private async atMoment(id: string, when: QueryTime, page: Page, caller: Asker & HistoryReader) {
    const question: OrganizationQuery<VerifiedDomainPage> = ({ state }) => {
      const { names, next } = pageOf(state, page);
      return { domains: names.flatMap((domain) => pastDomain(this.stores, id, domain, state) ?? []), next };
    };
    const answered = await this.access.reading.query(id, question, when, caller);
    if (!answered) throw await absenceOf(this.stores, id);
    await this.access.recordRead({ type: 'HistoryRead', data: { organization: id } }, caller);
    return answered.answer;
  }
}

/** The names of one page, sorted, and the cursor of the next page. */
function pageOf({ emailDomains }: Immutable<Pick<Organization, 'emailDomains'>>, { after = '', limit }: Page) {
  const left = Object.keys(emailDomains)
    .filter((domain) => domain > after)
    .sort();
  const names = left.slice(0, limit);
  return { names, next: left.length > limit ? names.at(-1)! : null };
}

/**
 * The domain after a command. A repeated command returns its previous receipt, so the organization may have released
 * the domain since then.
 * @throws Refused `no-such-domain`
 */
async function presentDomain(stores: Charter, id: string, domain: string): Promise<VerifiedDomain> {
  const present = await printedDomain(stores, id, domain);
  if (!present) throw new Refused(noSuchDomain);
  return present;
}

abstract class DomainCommand extends Command<VerifiedDomain> {
  constructor(
    readonly id: string,
    readonly domain: string,
    readonly call: ConfirmedCall,
  ) {
    super();
  }
}

/** A handler that executes a command after the caller has confirmed it with the password. */
abstract class ConfirmedHandler {
  protected readonly runtime: Charter & Clock & Pick<Background, 'deferred'> & Pick<OrganizationAccess, 'commands'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(BACKGROUND) { deferred }: Background,
    @Inject(ORGANIZATION_ACCESS) { commands }: OrganizationAccess,
  ) {
    this.runtime = { ...stores, ...clock, deferred, commands };
  }
}

/** Claims an e-mail domain. */
export class ClaimDomain extends DomainCommand {}

@CommandHandler(ClaimDomain)
export class ClaimDomainHandler extends ConfirmedHandler implements ICommandHandler<ClaimDomain> {
  async execute({ id, domain, call }: ClaimDomain) {
    await confirmOwner(this.runtime, id, call);
    const why = domainFlaw(domain);
    if (why)
      throw new ProblemError(
        409,
        'domain-refused',
        `No organization can own ${domain}, according to the lists of ${shippedLists.date}.`,
        { domain, why },
      );
    await this.runtime.commands.execute(id, { type: 'ClaimEmailDomain', data: { domain } }, call.context);
    return presentDomain(this.runtime, id, domain);
  }
}

/** Looks for the DNS record of a claimed domain, and records the proof. */
export class CheckDomain extends DomainCommand {}

@CommandHandler(CheckDomain)
export class CheckDomainHandler extends ConfirmedHandler implements ICommandHandler<CheckDomain> {
  async execute({ id, domain, call }: CheckDomain) {
    await confirmOwner(this.runtime, id, call);
    await proveDomain(this.runtime, id, domain, call.context);
    return presentDomain(this.runtime, id, domain);
  }
}

/** Changes the switches of a proven domain. */
export class ChangeDomain extends Command<VerifiedDomain> {
  constructor(
    readonly id: string,
    readonly data: CommandData<'ChangeEmailDomainSettings'>,
    readonly call: ConfirmedCall,
  ) {
    super();
  }
}

@CommandHandler(ChangeDomain)
export class ChangeDomainHandler extends ConfirmedHandler implements ICommandHandler<ChangeDomain> {
  async execute({ id, data, call }: ChangeDomain) {
    await confirmOwner(this.runtime, id, call);
    await this.runtime.commands.execute(id, { type: 'ChangeEmailDomainSettings', data }, call.context);
    return presentDomain(this.runtime, id, data.domain);
  }
}

/** Gives up a domain. */
export class ReleaseDomain extends Command<void> {
  constructor(
    readonly id: string,
    readonly domain: string,
    readonly context: Envelope,
  ) {
    super();
  }
}

@CommandHandler(ReleaseDomain)
export class ReleaseDomainHandler implements ICommandHandler<ReleaseDomain> {
  constructor(
    @Inject(STORES) private readonly stores: Charter,
    @Inject(ORGANIZATION_ACCESS) private readonly access: OrganizationAccess,
  ) {}

  async execute({ id, domain, context }: ReleaseDomain) {
    await this.access.commands.execute(id, { type: 'ReleaseEmailDomain', data: { domain } }, context);
    // A repeated command returns its old receipt without a check of the permission. The organization may have proven
    // the domain again since then.
    // If the process crashes here, the next daily check removes the claim.
    await releaseUnlessProven(this.stores, id, domain);
  }
}
