import { refuse } from '@charter/decider';
import { z } from 'zod';
import { type DecisionContext, type Decision, limitExceeded } from '../decision';
import { unicodeOf } from '../hostname';
import { hasHostname, type Organization } from '../state';
import { Hostname, Id, Name, NAME_LENGTH_MAX } from '../words';

export const AddSite = z.strictObject({ hostname: Hostname, name: Name.optional(), site: Id.optional() });
export type AddSite = z.infer<typeof AddSite> & { site: string };

/**
 * Each site uses one content section. Without a name in the command, the hostname in Unicode becomes the name of the
 * site. If this text is no valid name, the hostname in ASCII becomes the name, with at most `NAME_LENGTH_MAX`
 * characters.
 */
export function addSite(
  { hostname, name, site }: AddSite,
  organization: Organization,
  { at }: DecisionContext,
): Decision {
  const known = organization.sites[site];

  if (known?.hostname === hostname) return []; // a repeated command records no event
  if (known) return refuse('id-taken', 'Another site has this id.', { site });
  if (hasHostname(organization.sites, hostname))
    return refuse('hostname-taken', `${hostname} is already a site of this organization.`, { hostname });

  const full = limitExceeded('sites', organization, at);
  return full ?? [{ type: 'SiteAdded', data: { site, hostname, name: name ?? defaultName(hostname) } }];
}

const defaultName = (hostname: string): string =>
  [unicodeOf(hostname), hostname].find((text) => Name.safeParse(text).success) ?? hostname.slice(0, NAME_LENGTH_MAX);
