import type { Page } from 'playwright-core';
import type { VerifiedDomain } from '@charter/client';
import type { Answer, Called } from '../../support/pages/built-pages';
import type { OrganizationStateRow } from './organization-state';
import { rightsOf } from './samples';
import { claimedDomain, domainPage, lapsingDomain, provenDomain } from './samples/email-domains';

/** The answers for an owner of an organization with these domains. Each change of a domain gets `problem`. */
const asOwner =
  (domains: VerifiedDomain[], problem: object = { type: '/problems/not-proven', why: 'absent' }) =>
  ({ method, path }: Called): Answer | undefined => {
    const { pathname } = new URL(path, 'http://pages');
    if (pathname.endsWith('/standing')) return { status: 200, body: rightsOf.owner };
    if (!pathname.includes('/verified-domains')) return undefined;
    return method === 'GET' ? { status: 200, body: domainPage(domains) } : { status: 409, body: problem };
  };
const asAdministrator = ({ path }: Called): Answer | undefined =>
  path.endsWith('/standing')
    ? { status: 200, body: { ...rightsOf.admin, reads: ['document', 'history', 'names'] } }
    : undefined;

/** The page isolates a text that a person typed (`typed-text.ts`). */
const typed = (text: string) => `\u2068${text}\u2069`;

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name, exact: true }).click();
const opensClaim = press('Claim a domain…');
const claims = (domain: string) => async (page: Page) => {
  await opensClaim(page);
  await page.getByLabel('Domain', { exact: true }).fill(domain);
  await page.getByLabel('Your password').fill('correct horse battery');
  await press('Claim the domain')(page);
};
const checks = async (page: Page) => {
  await press(/^Check now…/)(page);
  await page.getByLabel('Your password').fill('correct horse battery');
  await press('Check now')(page);
};

const domains = (is: string, row: Omit<OrganizationStateRow, 'at' | 'is'>): OrganizationStateRow => ({
  ...{ at: 'settings', is: `domains-${is}` },
  ...row,
});

/** The states of the section "E-mail domains" of the settings page. */
export const domainStates: readonly OrganizationStateRow[] = [
  domains('none', {
    but: asOwner([]),
    seen: 'No e-mail domain is claimed.',
    finnish: 'Yhtään sähköpostin verkkotunnusta ei ole lisätty.',
  }),
  domains('claimed', { but: asOwner([claimedDomain]), seen: 'awaiting proof', finnish: 'odottaa vahvistusta' }),
  domains('proven', { but: asOwner([provenDomain]), seen: 'proven', finnish: 'vahvistettu' }),
  domains('lapsing', { but: asOwner([lapsingDomain]), seen: 'losing its proof', finnish: 'vahvistus päättymässä' }),
  domains('claim', {
    but: asOwner([]),
    act: opensClaim,
    seen: 'Claim an e-mail domain',
    finnish: 'Lisää sähköpostin verkkotunnus',
  }),
  domains('claim-refused', {
    but: asOwner([], { type: '/problems/domain-refused', domain: 'gmail.com', why: 'mail-provider' }),
    act: claims('gmail.com'),
    seen: `No organization can own ${typed('gmail.com')}: it is the domain of a mail provider.`,
    finnish: `Mikään organisaatio ei voi omistaa verkkotunnusta ${typed('gmail.com')}: se on sähköpostipalvelun verkkotunnus.`,
  }),
  domains('not-proven', {
    but: asOwner([claimedDomain]),
    act: checks,
    seen: 'The TXT record of this claim is not there. DNS can need some hours to show a new record.',
    finnish: 'Tämän lisäyksen TXT-tietuetta ei löydy. Uuden tietueen näkyminen voi kestää tunteja.',
  }),
  domains('effects', {
    but: asOwner([provenDomain]),
    act: press(/^Change the effects…/),
    seen: 'No sign-in with a password',
    finnish: 'Ei kirjautumista salasanalla',
  }),
  domains('withdraw', {
    but: asOwner([lapsingDomain]),
    act: press(/^Withdraw…/),
    seen: `Withdraw ${typed(lapsingDomain.unicode)}?`,
    finnish: `Luovutaanko verkkotunnuksesta ${typed(lapsingDomain.unicode)}?`,
  }),
  domains('no-right', {
    but: asAdministrator,
    seen: 'Only owners and operators see the e-mail domains.',
    finnish: 'Vain omistajat ja operaattorit näkevät sähköpostin verkkotunnukset.',
  }),
  {
    ...{ at: 'settings?asOf=1191', is: 'domains-past' },
    seen: 'The history does not contain the daily checks of the DNS records.',
    finnish: 'Historiassa ei ole DNS-tietueiden päivittäisiä tarkistuksia.',
  },
];
