import type { Moment } from '@charter/decider';
import type { Organization } from '@charter/organization';
import { siteFlagKeys, siteFlags, userFlagKeys, userFlags } from './entry-flags';
import type { Flag } from './flag';
import type { FlagSubject } from './flag-subject';
import { organizationFlagKeys, organizationFlags } from './organization-flags';

/**
 * All flags of a subject. Undefined if the organization has no such site or member.
 * @param console the URL of the console's pages about the organization, for example `https://charter.example/org/ID`
 */
export function evaluateFlags(
  subject: FlagSubject,
  organization: Organization,
  at: Moment,
  console: string,
): readonly Flag[] | undefined {
  if (subject.kind === 'site') return siteFlags(subject.site, organization, `${console}/sites/${subject.site}`);
  if (subject.kind === 'user') return userFlags(subject.user, organization, `${console}/members/${subject.user}`);
  return organizationFlags(organization, at, (path) => `${console}/overview?why=${encodeURIComponent(path)}`);
}

/** The names of the flags of a kind of subjects. */
export const flagKeys: Readonly<Record<FlagSubject['kind'], readonly string[]>> = {
  organization: organizationFlagKeys,
  site: siteFlagKeys,
  user: userFlagKeys,
};
