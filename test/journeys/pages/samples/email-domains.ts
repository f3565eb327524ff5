import type { VerifiedDomain, VerifiedDomainPage } from '@charter/client';

const recordOf = (domain: string) => ({
  name: `_charter-challenge.${domain}`,
  value: 'charter-domain=0d3Rz7mFvB2kq4tYxW8nJcPeHsLuAgKiVo1Qb5D6T9w',
});
const off = { automaticMembership: false, managed: false };

/** A domain that an owner has claimed and not proven. Its Unicode form differs from its ASCII form. */
export const claimedDomain: VerifiedDomain = {
  ...{ domain: 'xn--mnchen-3ya.example', unicode: 'münchen.example', state: 'claimed' },
  ...{ record: recordOf('xn--mnchen-3ya.example'), since: '2026-11-20T09:00:00.000Z', until: null, ...off },
};
export const provenDomain: VerifiedDomain = {
  ...{ domain: 'northwind.example', unicode: 'northwind.example', state: 'proven' },
  ...{ record: recordOf('northwind.example'), since: '2026-10-01T09:00:00.000Z', until: null },
  ...{ automaticMembership: true, managed: false },
};
/** The claim of the domain at a past moment. */
export const pastDomain: VerifiedDomain = {
  ...{ ...provenDomain, state: 'claimed', since: '2026-04-20T09:00:00.000Z', automaticMembership: false },
};
/** A domain whose DNS record the daily check has not found. */
export const lapsingDomain: VerifiedDomain = {
  ...{ ...provenDomain, state: 'lapsing', managed: true },
  ...{ since: '2026-11-18T09:00:00.000Z', until: '2026-12-02T09:00:00.000Z' },
};

/** The answer of `GET …/verified-domains`. */
export const domainPage = (domains: VerifiedDomain[]): VerifiedDomainPage => ({ domains, next: null });
