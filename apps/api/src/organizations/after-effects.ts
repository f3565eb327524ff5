import { Refused } from '@charter/aggregates';
import { type Charter, type CommandEffects, finishRemoval, forgetRemovedMembers } from '@charter/application';
import { organizationStream } from '@charter/organization';
import type { Metrics } from '../process/observability/metrics';
import { finishClosing, forgetClosed } from './forget-closed';
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
  before: async (organization, commands, context) => {
    const all = [commands].flat();
    if (!all.some(({ type }) => type === 'ReopenOrganization')) return;
    // Charter deletes no data for a command that the rules refuse.
    const preview = await stores.organizations.preview(organizationStream(organization), all, context);
    if (preview.refused.length === 0) await finishClosing(stores, organization);
  },
  after: [
    ({ organization, commands, receipt: { events, revision, position } }) => {
      if (events.length > 0) reading.acknowledged(organization, revision, position);
      counts.executed(commands, events.length > 0 ? 'accepted' : 'nothing-new');
    },
    (executed) => forgetRemovedMembers(stores, executed),
    ({ organization, commands }) => forgetClosed(stores, organization, commands),
  ],
  failed: async (failure) => {
    const { commands, error } = failure;
    counts.executed(commands, error instanceof Refused ? String(error.refusal.refused) : 'failed');
    await finishRemoval(stores, failure);
  },
});
