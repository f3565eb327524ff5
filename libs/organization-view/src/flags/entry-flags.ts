import { type Organization, productEnabled, SiteFeature, siteSwitchesOf } from '@charter/organization';
import { isRecipient, memberSince } from '../public-document';
import type { Flag } from './flag';

type SiteSwitch = ReturnType<typeof siteSwitchesOf>[SiteFeature];

/** The flags of a site: its features. Undefined if the organization has no such site. */
export function siteFlags(site: string, organization: Organization, explain: string): readonly Flag[] | undefined {
  if (!Object.hasOwn(organization.sites, site)) return undefined;
  const switches = siteSwitchesOf(site, organization);
  return SiteFeature.options.map((feature) => switchFlag(`site.${feature}`, switches[feature], explain));
}

/** The names of the flags of every site. */
export const siteFlagKeys: readonly string[] = SiteFeature.options.map((feature) => `site.${feature}`);

const switchFlag = (key: string, { on, because, event }: SiteSwitch, explain: string): Flag => ({
  key,
  value: on,
  reason: switchReasons[because],
  variant: onOff(on),
  metadata: { because: `${switchTexts[because]} (event ${event})`, event, explain },
});

const switchReasons = { plan: 'TARGETING_MATCH', site: 'STATIC', closed: 'DISABLED' } as const;
const switchTexts = { plan: 'plan', site: 'set for this site', closed: 'closed' } as const;

/** The flags of a member: the role, and whether the member gets notifications. Undefined for other people. */
export function userFlags(user: string, organization: Organization, explain: string): readonly Flag[] | undefined {
  if (!Object.hasOwn(organization.members, user)) return undefined;
  const member = organization.members[user]!;
  const { event } = memberSince(member).roleSince;
  const notified = isRecipient(user, organization);
  const isOff = organization.closed !== null || !productEnabled(organization);
  return [
    {
      ...{ key: 'role', value: member.role, reason: 'TARGETING_MATCH', variant: member.role },
      metadata: { because: `${member.role} (event ${event})`, event, explain },
    },
    {
      ...{ key: 'notified', value: notified, reason: isOff ? 'DISABLED' : 'TARGETING_MATCH', variant: onOff(notified) },
      metadata: { explain },
    },
  ];
}

/** The names of the flags of every member. */
export const userFlagKeys: readonly string[] = ['role', 'notified'];

const onOff = (on: boolean) => (on ? 'on' : 'off');
