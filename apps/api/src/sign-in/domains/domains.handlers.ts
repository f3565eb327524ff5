import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Actor } from '@charter/decider';
import type { Charter } from '@charter/application';
import type { Envelope } from '@charter/event-log';
import { type CommandData, domainOwners, organizationStream } from '@charter/organization';
import { ProblemError } from '../../http/problems/problem';
import { requireRole } from '../../organizations/require-role';
import { type Background, BACKGROUND } from '../../process/parts/background';
import { type Clock, CLOCK } from '../../process/parts/clock';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { STORES } from '../../process/parts/stores';
import { type ConfirmedCall, confirmOwner } from './confirm-owner';
import type { VerifiedDomain } from './domain.answers';
import { printedDomain } from './printed-domain';
import { proveDomain } from './prove-domain';
import { domainFlaw, shippedLists } from './refused-domains';

type Page = Readonly<{ after: string | undefined; limit: number }>;

/** Lists an organization's e-mail domains. */
export class ListDomains extends Query<Readonly<{ domains: VerifiedDomain[]; next: string | null }>> {
  constructor(
    readonly id: string,
    readonly page: Page,
    readonly actor: Actor,
  ) {
    super();
  }
}

@QueryHandler(ListDomains)
export class ListDomainsHandler implements IQueryHandler<ListDomains> {
  constructor(@Inject(STORES) private readonly stores: Charter) {}

  async execute({ id, page: { after = '', limit }, actor }: ListDomains) {
    await requireRole(this.stores, id, actor, domainOwners);
    const names = await this.stores.organizations.query(organizationStream(id), ({ state }) =>
      Object.keys(state.emailDomains)
        .filter((domain) => domain > after)
        .sort(),
    );
    const shown = names.slice(0, limit);
    const domains = await Promise.all(shown.map((domain) => printedDomain(this.stores, id, domain)));
    return {
      domains: domains.filter((domain) => domain !== undefined), // a domain may have been released meanwhile
      next: names.length > limit ? shown.at(-1)! : null,
    };
  }
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
    return (await printedDomain(this.runtime, id, domain))!;
  }
}

/** Looks for the DNS record of a claimed domain, and records the proof. */
export class CheckDomain extends DomainCommand {}

@CommandHandler(CheckDomain)
export class CheckDomainHandler extends ConfirmedHandler implements ICommandHandler<CheckDomain> {
  async execute({ id, domain, call }: CheckDomain) {
    await confirmOwner(this.runtime, id, call);
    await proveDomain(this.runtime, id, domain, call.context);
    return (await printedDomain(this.runtime, id, domain))!;
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
    return (await printedDomain(this.runtime, id, data.domain))!;
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
    // If the process crashes here, the next daily check removes the claim.
    await this.stores.database.provenDomains.takeBack(domain, id);
  }
}
