import type { Entitlements } from '@charter/client';

/** The message for an organization without a plan. The limits of the plan that ended last still count. */
export const noPlan = (entitlements: Pick<Entitlements, 'limits'> | undefined): 'plan.none' | 'plan.ended' =>
  Object.values(entitlements?.limits ?? {}).some(({ because }) => because.some(({ kind }) => kind === 'plan'))
    ? 'plan.ended'
    : 'plan.none';
