/**
 * A phase in the life of the example organization. During the phase, the numbers of users, sites and domains grow or
 * shrink towards the numbers in this type.
 */
export type Phase = Readonly<{
  /** The first day of the phase, counted from the founding. */
  from: number;
  users: number;
  sites: number;
  /** The number of domains in each of the two lists of domains. */
  domains: number;
  /** The maximum number of changes on a working day. */
  pace: number;
  /** The number of page views on a day. */
  views: number;
}>;

/** The number of days in the organization's life: three years. */
export const LIFE_DAYS = 3 * 365;

/**
 * The milestones of the organization's life, in days after its founding. Most phases begin on a milestone, and
 * `story.ts` sends commands on the milestones or soon after them.
 */
export const days = {
  teams: 90,
  firstLine: 260,
  firstLineEnds: 430,
  campaign: 470,
  campaignEnds: 530,
  outage: 585,
  enterprise: 640,
  newName: 700,
  savings: 930,
} as const;

const phases: readonly Phase[] = [
  { from: 0, users: 2, sites: 1, domains: 0, pace: 2, views: 1_500 },
  { from: days.teams, users: 5, sites: 3, domains: 1, pace: 3, views: 9_000 },
  { from: days.firstLine, users: 7, sites: 5, domains: 2, pace: 4, views: 24_000 },
  { from: days.campaign, users: 13, sites: 8, domains: 3, pace: 7, views: 60_000 },
  { from: days.campaignEnds, users: 10, sites: 7, domains: 3, pace: 5, views: 35_000 },
  { from: days.enterprise, users: 26, sites: 16, domains: 6, pace: 7, views: 120_000 },
  { from: days.savings, users: 18, sites: 9, domains: 3, pace: 5, views: 80_000 },
];

export const phaseOn = (day: number): Phase => phases.findLast(({ from }) => from <= day)!;
