import { createContext, createElement, type ReactNode, useCallback, useContext, useSyncExternalStore } from 'react';
import type { CharterOrganization } from './charter-organization.js';
import type { FeatureName, LimitValue, ResourceName, WhyReason } from './values.js';

const OrganizationContext = createContext<CharterOrganization | undefined>(undefined);

/** Provides the organization that the hooks of all inner components use. */
export const CharterProvider = ({
  organization,
  children,
}: Readonly<{ organization: CharterOrganization; children?: ReactNode }>) =>
  createElement(OrganizationContext.Provider, { value: organization }, children);

/** Whether a feature is on. Renders the component again only if the answer changes. */
export const useCan = (feature: FeatureName, fallback?: boolean): boolean =>
  useAnswer(feature, (organization) => organization.can(feature, fallback));

/** A limit. The limit is advice: Charter decides about each change on the organization's stream. */
export const useLimit = (resource: ResourceName, fallback?: LimitValue): LimitValue =>
  useAnswer(resource, (organization) => organization.limit(resource, fallback));

/** The reasons of a feature or a limit. */
export const useWhy = (key: FeatureName | ResourceName): readonly WhyReason[] =>
  useAnswer(key, (organization) => organization.why(key));

/** Reads the answer, and subscribes to the changes of one feature or limit. */
function useAnswer<Answer>(key: string, read: (organization: CharterOrganization) => Answer): Answer {
  const organization = useContext(OrganizationContext);
  if (!organization) throw new Error('This hook needs a <CharterProvider> above its component.');
  const subscribe = useCallback(
    (changed: () => void) => organization.subscribe((keys) => keys.includes(key) && changed()),
    [organization, key],
  );
  const snapshot = () => read(organization);
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
