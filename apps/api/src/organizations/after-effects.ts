import { Refused } from '@charter/aggregates';
import type { Charter, CommandEffects, ExecutedCommand } from '@charter/application';
import { isMemberSomewhere } from '../account/memberships';
import type { Metrics } from '../process/observability/metrics';
import { forgetClosed } from './forget-closed';
import type { OrganizationReader } from './organization-reader';

type EffectStores = Pick<Charter, 'database' | 'log' | 'view' | 'organizations'>;

/**
 * The effects of every executed command: later reads include the write, metrics count the command, and data of removed
 * members and closed organizations is deleted.
 */
export const effectsOf = (
  stores: EffectStores,
  reading: Pick<OrganizationReader, 'acknowledged'>,
  counts: Pick<Metrics, 'executed'>,
): CommandEffects => ({
  after: [
    ({ organization, commands, receipt: { events, revision, position } }) => {
      if (events.length > 0) reading.acknowledged(organization, revision, position);
      counts.executed(commands, events.length > 0 ? 'accepted' : 'nothing-new');
    },
    (executed) => withdrawInvitations(stores, executed),
    (executed) => endIntroductions(stores, executed),
    ({ organization, commands, receipt }) => forgetClosed(stores, organization, commands, receipt.events),
  ],
  failed: (commands, error) =>
    counts.executed(commands, error instanceof Refused ? String(error.refusal.refused) : 'failed'),
});

/**
 * Deletes all mailed links of a removed member who never accepted an invitation and is a member of no other
 * organization (`acceptance.md` H10).
 */
async function withdrawInvitations(stores: EffectStores, { receipt }: ExecutedCommand): Promise<void> {
  const { accounts, links } = stores.database.people;
  for (const { type, data } of receipt.events) {
    if (type !== 'MemberRemoved') continue;
    const account = await accounts.byId(data.member);
    if (account?.state !== 'invited') continue;
    if (!(await isMemberSomewhere(stores, account.id))) await links.dropAll(account.id);
  }
}

/**
 * Ends the introduction of a removed member, so that other members no longer see the name. If the person is added again
 * by id, other members see the name only after the person has accepted again.
 */
async function endIntroductions(stores: EffectStores, { organization, receipt }: ExecutedCommand): Promise<void> {
  for (const { type, data } of receipt.events)
    if (type === 'MemberRemoved') await stores.database.people.introductions.end(organization, data.member);
}
