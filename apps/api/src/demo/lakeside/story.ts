import type { Moment } from '@charter/decider';
import type { OrganizationCommand } from '@charter/organization';
import { days, LIFE_DAYS } from './phases';
import type { Stage } from './stage';

/** The Stripe customer of the example organization, and its subscription. */
export const lakesideCustomer = 'cus_LakesideOutfitters';
const subscription = 'sub_LakesideOutfitters';
/**
 * The number of the member who becomes the second owner. Members have numbers from 0, and member 0 is the first owner.
 */
const SECOND_OWNER = '61';
const FIRST_LINE = 'sub_LakesideClassic';

/** The names of the add-on purchases in this file. Each renewal message from billing repeats the add-on purchases. */
export type PurchaseName = 'users' | 'moreUsers' | 'sections' | 'quality' | 'analytics' | 'feedback';
const addOns = {
  users: 'additionalUser',
  moreUsers: 'additionalUser',
  sections: 'additionalContentSection',
  quality: 'qualityAssurance',
  analytics: 'webAnalytics',
  feedback: 'feedback',
} as const satisfies Readonly<Record<PurchaseName, string>>;

export const plan = (line: 'first' | 'second', name: string, effectiveAt: Moment): OrganizationCommand => ({
  type: 'AssignPlan',
  data: { line, plan: name, effectiveAt, subscription: line === 'first' ? FIRST_LINE : subscription },
});
export const purchase = (name: PurchaseName, quantity: number, effectiveAt: Moment): OrganizationCommand => ({
  type: 'PurchaseAddOn',
  data: { purchase: `si_Lakeside-${name}`, addOn: addOns[name], quantity, effectiveAt, subscription },
});
const cancelled = (name: PurchaseName, effectiveAt: Moment): OrganizationCommand => ({
  type: 'CancelAddOn',
  data: { purchase: `si_Lakeside-${name}`, effectiveAt, subscription },
});
const override = (reason: string, until: Moment): OrganizationCommand => ({
  type: 'OverrideHardLimits',
  data: { reason, until },
});

/**
 * The large changes, for example of the plan: the day of each change, and the requests and billing messages that cause
 * the change.
 */
const story: readonly (readonly [day: number, happens: (stage: Stage) => unknown])[] = [
  [
    0,
    ({ byOperator, byBilling, ids, daysAgo }) => {
      byOperator({ type: 'FoundOrganization', data: { name: 'Lakeside Outfitters', owner: ids.of('member', '0') } });
      byOperator({ type: 'LinkBillingAccount', data: { provider: 'stripe', customer: lakesideCustomer } });
      byBilling(plan('second', 'solo', daysAgo(0)));
    },
  ],
  [20, ({ byBilling, daysAgo }) => byBilling(purchase('users', 1, daysAgo(0)))],
  // The customer had upgraded nine days before the message arrived.
  [days.teams, ({ byBilling, daysAgo }) => byBilling(plan('second', 'teams', daysAgo(9)))],
  [110, ({ byBilling, daysAgo }) => byBilling(purchase('sections', 2, daysAgo(0)), purchase('quality', 1, daysAgo(0)))],
  // A second owner joins, and two years later the founder leaves.
  [
    120,
    ({ byOwner, ids }) =>
      byOwner({ type: 'AddMember', data: { member: ids.of('member', SECOND_OWNER), role: 'owner' } }),
  ],
  [850, ({ byOwner, ids }) => byOwner({ type: 'RemoveMember', data: { member: ids.of('member', '0') } })],
  [150, ({ byOperator }) => byOperator({ type: 'AssignServiceLevel', data: { serviceLevel: 'assisted' } })],
  [190, ({ byBilling, daysAgo }) => byBilling(purchase('users', 3, daysAgo(0)), purchase('analytics', 1, daysAgo(0)))],
  [
    days.firstLine,
    ({ byBilling, byMember, daysAgo }) => {
      byBilling(plan('first', 'professional', daysAgo(0)), purchase('sections', 4, daysAgo(0)));
      byMember({ type: 'ChangeParallelUse', data: { parallelUse: true } });
    },
  ],
  [
    300,
    ({ byBilling, daysAgo }) => byBilling(purchase('quality', 2, daysAgo(1)), purchase('analytics', 2, daysAgo(1))),
  ],
  [330, ({ byBilling, daysAgo }) => byBilling(purchase('feedback', 1, daysAgo(0)))],
  [
    days.firstLineEnds,
    ({ byBilling, byMember, daysAgo }) => {
      byMember({ type: 'ChangeParallelUse', data: { parallelUse: false } });
      byBilling({ type: 'EndPlan', data: { line: 'first', effectiveAt: daysAgo(4), subscription: FIRST_LINE } });
    },
  ],
  [
    days.campaign,
    ({ byOperator, byBilling, daysAgo }) => {
      byBilling(purchase('moreUsers', 6, daysAgo(0)), purchase('sections', 7, daysAgo(0)));
      byOperator(override('summer campaign', daysAgo(days.campaign - days.campaignEnds)));
      byOperator({ type: 'ConfigureLimits', data: { contentSections: 4 } });
    },
  ],
  // The add-on had ended eight days before the message arrived. During these eight days, a renewal message would
  // purchase the add-on again, so none may arrive.
  [days.campaignEnds + 8, ({ byBilling, daysAgo }) => byBilling(cancelled('moreUsers', daysAgo(8)))],
  [
    days.campaignEnds + 20,
    ({ byOperator }) => byOperator({ type: 'ConfigureLimits', data: { contentSections: null } }),
  ],
  [days.outage, ({ byOperator }) => byOperator({ type: 'DisableProduct', data: {} })],
  [days.outage + 2, ({ byOperator }) => byOperator({ type: 'EnableProduct', data: {} })],
  [days.enterprise, ({ byBilling, daysAgo }) => byBilling(plan('second', 'enterprise', daysAgo(2)))],
  [days.enterprise + 6, ({ byBilling, daysAgo }) => byBilling(cancelled('feedback', daysAgo(6)))],
  [
    days.enterprise + 20,
    ({ byOwner }) =>
      byOwner({
        type: 'ConfigureSingleSignOn',
        data: { issuer: 'https://login.lakeside.example', clientId: 'charter' },
      }),
  ],
  [days.newName, ({ byMember }) => byMember({ type: 'RenameOrganization', data: { name: 'Lakeside Trading' } })],
  [
    days.newName + 30,
    ({ byMember }) => byMember({ type: 'RenameOrganization', data: { name: 'Lakeside Outfitters' } }),
  ],
  [780, ({ byOperator }) => byOperator({ type: 'AssignServiceLevel', data: { serviceLevel: 'turnkey' } })],
  [
    850,
    ({ byOwner }) =>
      byOwner({
        type: 'ConfigureSingleSignOn',
        data: { issuer: 'https://id.lakeside.example', clientId: 'charter' },
      }),
  ],
  [
    days.savings,
    ({ byBilling, byOperator, daysAgo }) => {
      byBilling(plan('second', 'teams', daysAgo(0)), purchase('users', 8, daysAgo(0)));
      byOperator({ type: 'ConfigureLimits', data: { users: 12, contentSections: 6 } });
      byOperator(override('the teams move to the smaller plan', daysAgo(-60)));
      byOperator({ type: 'AssignServiceLevel', data: { serviceLevel: 'assisted' } });
    },
  ],
  [days.savings + 40, ({ byOwner }) => byOwner({ type: 'RemoveSingleSignOn', data: {} })],
  [days.savings + 75, ({ byOperator }) => byOperator({ type: 'ConfigureLimits', data: { users: 15 } })],
  [days.savings + 90, ({ byBilling, daysAgo }) => byBilling(purchase('users', 5, daysAgo(21)))],
  [days.savings + 120, ({ byOperator }) => byOperator({ type: 'RestoreHardLimits', data: { reason: 'agreed' } })],
  // This override ends a month after the demo begins.
  [LIFE_DAYS - 12, ({ byOperator, daysAgo }) => byOperator(override('until the new contract', daysAgo(-42)))],
];

/** Executes the large changes of the stage's day. */
export function executeStory(stage: Stage): void {
  for (const [day, happens] of story) if (day === stage.day) happens(stage);
}
