import type { Standing } from '@charter/client';

/** Whether the person pays for a change at the payment provider. A person who may assign a plan needs no payment. */
export const buysOnline = (standing: Standing | undefined): boolean =>
  standing !== undefined && standing.may.includes('StartCheckout') && !standing.may.includes('AssignPlan');
