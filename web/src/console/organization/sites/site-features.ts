import type { OrganizationDocument } from '@charter/client';
import type { PlanTerms } from '../plan/useSoldTerms';

export type Site = OrganizationDocument['sites'][number];
export type SwitchName = keyof Site['features'];

/** The message id of each switch of a site. */
export const siteFeatureWords = {
  customCTAs: 'sites.feature.customCTAs',
  integrations: 'sites.feature.integrations',
  live: 'sites.feature.live',
  logo: 'sites.feature.logo',
  reports: 'sites.feature.reports',
  timeFilter: 'sites.feature.timeFilter',
  timeFilterMigrated: 'sites.feature.timeFilterMigrated',
  userInputs: 'sites.feature.userInputs',
  floatingShareButtons: 'sites.feature.floatingShareButtons',
  anonymizeFeedback: 'sites.feature.anonymizeFeedback',
} satisfies Readonly<Record<SwitchName, string>>;
export const siteFeatures = Object.keys(siteFeatureWords) as SwitchName[];

/**
 * The switches of a site that differ from the plans in force. By the plans, a switch is on if at least one plan turns
 * it on.
 */
export const ownFeatures = ({ features }: Site, plans: readonly PlanTerms[]): readonly SwitchName[] =>
  siteFeatures.filter(
    (feature) => features[feature] !== plans.some(({ siteDefaults }) => siteDefaults.features[feature] === true),
  );

/** The message id for the reports that a site gets. */
export function reportWords({ weekly, monthly }: Site['report']): string {
  if (weekly && monthly) return 'sites.report.both';
  if (weekly) return 'sites.report.weekly';
  return monthly ? 'sites.report.monthly' : 'sites.report.none';
}
