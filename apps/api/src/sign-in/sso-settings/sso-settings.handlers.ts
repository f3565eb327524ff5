import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Receipt } from '@charter/aggregates';
import type { Envelope } from '@charter/event-log';
import { auditors, type OrganizationEvent, owners } from '@charter/organization';
import { singleSignOn, type SingleSignOnAnswer } from '@charter/organization-view';
import { isOnLoopback } from '@charter/settings';
import type { HistoryReader } from '../../history/read-audit';
import type { Asker } from '../../http/admission/gate';
import { malformedRequest, ProblemError } from '../../http/problems/problem';
import { isPast, type QueryTime, type TaggedAnswer } from '../../organizations/organization-reader';
import { absenceOf, requireRole } from '../../organizations/require-role';
import { callbackOf, FEDERATION, type Federation } from '../federation/federation';
import { failureCode, withinDeadline } from '../federation/sign-in-failure';
import { providerOf, removeSsoSecret, type SsoSecret, ssoSecretInForce, storeSsoSecret } from './sso-secret';
import type { Charter } from '@charter/application';
import { type Observability, OBSERVABILITY } from '../../process/parts/observability';
import { STORES } from '../../process/parts/stores';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';

/** Reads the settings of an organization's OpenID provider, and the URLs to register at the provider. */
export class SingleSignOnSettings extends Query<TaggedAnswer<SingleSignOnAnswer>> {
  constructor(
    readonly id: string,
    readonly when: QueryTime,
    readonly caller: Asker & HistoryReader,
  ) {
    super();
  }
}

@QueryHandler(SingleSignOnSettings)
export class SingleSignOnSettingsHandler implements IQueryHandler<SingleSignOnSettings> {
  private readonly runtime: Pick<Charter, 'settings' | 'organizations'> &
    Pick<OrganizationAccess, 'reading' | 'recordRead'>;

  constructor(@Inject(STORES) stores: Charter, @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess) {
    this.runtime = { ...stores, ...access };
  }

  async execute({ id, when, caller }: SingleSignOnSettings) {
    // only auditors may read the settings of an earlier moment
    await requireRole(this.runtime, id, caller.actor, isPast(when) ? auditors : owners);
    const question = singleSignOn({
      callback: callbackOf(this.runtime, 'sso'),
      start: `${this.runtime.settings.publicUrl}/auth/sso/${id}`,
    });
    const answered = await this.runtime.reading.query(id, question, when, caller);
    if (!answered) throw await absenceOf(this.runtime, id);
    if (isPast(when)) await this.runtime.recordRead({ type: 'HistoryRead', data: { organization: id } }, caller);
    return answered;
  }
}

/** Stores the settings of an organization's OpenID provider. First reads the provider's discovery document. */
export class ConfigureSingleSignOnCommand extends Command<Receipt<OrganizationEvent>> {
  constructor(
    readonly id: string,
    readonly settings: Omit<SsoSecret, 'organization'>,
    readonly context: Envelope,
  ) {
    super();
  }
}

@CommandHandler(ConfigureSingleSignOnCommand)
export class ConfigureSingleSignOnHandler implements ICommandHandler<ConfigureSingleSignOnCommand> {
  private readonly runtime: Pick<Charter, 'settings' | 'database' | 'organizations' | 'keyFor'> &
    Pick<OrganizationAccess, 'commands'> &
    Pick<Observability, 'logger'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
    @Inject(FEDERATION) private readonly federation: Federation,
    @Inject(OBSERVABILITY) observability: Observability,
  ) {
    this.runtime = { ...stores, ...access, ...observability };
  }

  async execute({ id, settings: { issuer: named, clientId, clientSecret }, context }: ConfigureSingleSignOnCommand) {
    // The role is checked before discovery. Only a caller who may change the settings therefore makes Charter send a
    // request to a chosen address.
    await requireRole(this.runtime, id, context.actor, owners);
    const issuer = await this.discovered(id, named);
    const receipt = await this.runtime.commands.execute(
      id,
      { type: 'ConfigureSingleSignOn', data: { issuer, clientId } },
      context,
    );
    const secret = { organization: id, issuer, clientId, clientSecret };
    const isNewest = () => this.isNewest(secret, receipt);
    await storeSsoSecret(this.runtime, secret, { command: context.command, isNewest });
    return receipt;
  }

  /**
   * Whether the secret belongs to the newest settings. A repeated command returns its previous receipt, so the
   * organization may have newer settings since then. A repeated command stores its secret only if no secret of this
   * provider is stored: the process may have crashed before it stored the secret.
   */
  private async isNewest(
    { organization, issuer, clientId }: SsoSecret,
    { repeated }: Receipt<OrganizationEvent>,
  ): Promise<boolean> {
    const present = await providerOf(this.runtime, organization);
    if (present?.issuer !== issuer || present.clientId !== clientId) return false;
    return !repeated || !(await ssoSecretInForce(this.runtime, organization));
  }

  /**
   * The issuer in the provider's own spelling, because Charter compares it with the issuers in tokens.
   * @throws ProblemError 400, 409
   */
  private async discovered(organization: string, named: string): Promise<string> {
    const url = new URL(named);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOnLoopback(this.runtime.settings)))
      throw malformedRequest([{ path: 'issuer', message: 'must be an https URL' }]);
    if (url.username || url.password || url.search || url.hash)
      throw malformedRequest([{ path: 'issuer', message: 'must contain no user, query or fragment' }]);
    try {
      return (await withinDeadline('sso', this.federation.organizations.tried(named))).issuer;
    } catch (error) {
      this.runtime.logger.info({ organization, why: failureCode(error) }, 'a sign-in provider was not accepted');
      // The answer is the same for every failure, so that callers do not learn which addresses answer.
      throw new ProblemError(
        409,
        'provider-unreachable',
        'No OpenID Connect provider answers at this issuer. Check it: it must equal the issuer in the discovery document.',
      );
    }
  }
}

/** Removes the settings of an organization's OpenID provider. */
export class RemoveSingleSignOnCommand extends Command<Receipt<OrganizationEvent>> {
  constructor(
    readonly id: string,
    readonly context: Envelope,
  ) {
    super();
  }
}

@CommandHandler(RemoveSingleSignOnCommand)
export class RemoveSingleSignOnHandler implements ICommandHandler<RemoveSingleSignOnCommand> {
  private readonly runtime: Pick<Charter, 'database' | 'organizations'> & Pick<OrganizationAccess, 'commands'>;

  constructor(@Inject(STORES) stores: Charter, @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess) {
    this.runtime = { ...stores, ...access };
  }

  async execute({ id, context }: RemoveSingleSignOnCommand) {
    const receipt = await this.runtime.commands.execute(id, { type: 'RemoveSingleSignOn', data: {} }, context);
    // A repeated command returns its previous receipt. The organization may have configured a provider since then.
    await removeSsoSecret(this.runtime, id, async () => !(await providerOf(this.runtime, id)));
    return receipt;
  }
}
