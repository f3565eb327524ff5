import type { Entitlements } from '@charter/client';

/**
 * The id of the message for an organization without a plan. If a plan has ended, its limits still apply, and the
 * message says so.
 */
export const noPlan = (entitlements: Pick<Entitlements, 'limits'> | undefined): 'plan.none' | 'plan.ended' =>
  Object.values(entitlements?.limits ?? {}).some(({ because }) => because.some(({ kind }) => kind === 'plan'))
    ? 'plan.ended'
    : 'plan.none';
