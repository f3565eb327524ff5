import { refuse, momentAt } from '@charter/decider';
import { z } from 'zod';
import type { DecisionContext, Decision } from '../decision';
import type { Organization } from '../state';
import { Month } from '../words';

export const ReportTraffic = z.strictObject({ month: Month, views: z.int().min(0) });
export type ReportTraffic = z.infer<typeof ReportTraffic>;

/** The offset of UTC+14, the time zone in which a month begins first. */
const FIRST_TIME_ZONE_MS = 14 * 3_600_000;

/**
 * Replaces the month's total. A total below the recorded total comes from an outdated report and changes nothing
 * (`decisions.md` 26).
 */
export function reportTraffic(
  { month, views }: ReportTraffic,
  { traffic }: Organization,
  { at }: DecisionContext,
): Decision {
  const newest = momentAt(Date.parse(at) + FIRST_TIME_ZONE_MS).slice(0, 'YYYY-MM'.length);
  if (month > newest) return refuse('month-not-begun', `${month} has not begun anywhere.`, { month });
  return views <= (traffic[month] ?? -1) ? [] : [{ type: 'TrafficReported', data: { month, views } }];
}
