import type { Page } from 'playwright-core';
import { startBuiltService } from '../../journeys/built-service';
import { staged, type Visit } from '../../journeys/browser/stage';
import { expectStop, PASSWORD, pressed, seen, signedIn, tabTo } from '../../journeys/browser/stops';
import { organizationOnTeams } from '../../journeys/recorded';
import { type DnsServer, startDnsServer } from '../../support/network/dns-server';

const OLGA = 'olga@elsewhere.example';
const DOMAIN = 'northwind-lakeside.com';
let dns: DnsServer;

const stage = staged(async () => {
  dns = await startDnsServer();
  return startBuiltService({ DNS_SERVERS: dns.address });
});

/** Types the password of the owner into the open dialog, and presses Enter. */
async function confirms(page: Page): Promise<void> {
  await tabTo(page, page.getByLabel('Your password'));
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
}
/** Checks the page after a reload, because the second page of `expectStop` shows no message about the last change. */
async function stops(visit: Visit): Promise<void> {
  await visit.page.reload();
  await seen(visit.page, 'E-mail domains');
  await expectStop(visit);
}
const button = (page: Page, name: RegExp) => page.getByRole('button', { name });

describe('An owner who proves an e-mail domain by keyboard', () => {
  it('claims the domain, sees why the check fails, publishes the record, proves the domain, and withdraws it', async () => {
    const { service } = stage;
    const olga = await service.settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD });
    const id = await organizationOnTeams(service.charter, olga);
    const visit = await signedIn(stage, OLGA, `/org/${id}/settings`);
    const { page, mayFail } = visit;
    await seen(page, 'No e-mail domain is claimed.');

    await pressed(page, button(page, /^Claim a domain/));
    await tabTo(page, page.getByLabel('Domain', { exact: true }));
    await page.keyboard.type(DOMAIN);
    await confirms(page);
    await seen(page, 'The domain is claimed. The list shows the next step.');
    await seen(page, 'awaiting proof');
    await stops(visit);

    const check = `/api/v1/organizations/${id}/verified-domains/${DOMAIN}/check`;
    mayFail(check, 409);
    await pressed(page, button(page, /^Check now…/));
    await confirms(page);
    await seen(page, 'The TXT record of this claim is not there.');

    const value = await page.locator('dd code', { hasText: 'charter-domain=' }).innerText();
    dns.publish(`_charter-challenge.${DOMAIN}`, value);
    await page.keyboard.press('Enter'); // the field still contains the password
    await seen(page, /is proven\./);
    await page.getByText('proven', { exact: true }).waitFor();
    await stops(visit);

    await pressed(page, button(page, /^Withdraw…/));
    await page.getByRole('alertdialog').waitFor();
    await pressed(page, page.getByRole('button', { name: 'Withdraw the domain' }));
    await seen(page, 'No e-mail domain is claimed.');
    expect(await page.evaluate('document.activeElement.textContent')).toBe(`\u2068${DOMAIN}\u2069 is withdrawn.`);
    await stops(visit);
  });
});
