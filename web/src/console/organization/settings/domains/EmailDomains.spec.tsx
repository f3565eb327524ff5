import { act, screen, waitFor, within } from '@testing-library/react';
import type { VerifiedDomain } from '@charter/client';
import { NORTHWIND, rightsOf, sampleEntitlements } from '../../../../../../test/journeys/pages/samples';
import {
  claimedDomain,
  domainPage,
  lapsingDomain,
  provenDomain,
} from '../../../../../../test/journeys/pages/samples/email-domains';
import type { ConsoleReply, SentRequest } from '../../../open.testing';
import { openOrganization } from '../../open-organization.testing';

const route = `/api/v1/organizations/${NORTHWIND}/verified-domains`;
const DONE: ConsoleReply = { status: 200, data: provenDomain };
const PASSWORD = 'correct horse battery';

type Wish = Readonly<{ path?: string; rights?: object; domains?: VerifiedDomain[]; reply?: ConsoleReply }>;

/** Opens the settings. The service has `domains`, and answers each change of a domain with `reply`. */
async function opened({ path = '/settings', rights = rightsOf.owner, domains = [], reply = DONE }: Wish = {}) {
  let shown = domains;
  const page = await openOrganization(path, ({ method, url, key }: SentRequest) => {
    if (url.endsWith('/standing')) return { status: 200, data: rights };
    if (url === route && method === 'GET') return { status: 200, data: domainPage(shown) };
    return key === undefined ? undefined : reply;
  });
  const section = await screen.findByRole('region', { name: 'E-mail domains' });
  await within(section).findByText(/^(No e-mail domain|TXT record: name|Only owners and operators)/);
  return {
    ...page,
    section: within(section),
    changes: () => page.sent.filter(({ key }) => key !== undefined),
    /** From now on the service has these domains. */
    become: (after: VerifiedDomain[]) => (shown = after),
  };
}
type Opened = Awaited<ReturnType<typeof opened>>;

const presses = ({ user, section }: Opened, name: string) => user.click(section.getByRole('button', { name }));
/** Types the password, and sends the form of the dialog. */
async function confirms({ user }: Opened, send: string) {
  await user.type(screen.getByLabelText('Your password'), PASSWORD);
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: send }));
}
const note = () => within(screen.getByRole('dialog')).getByRole('alert');

describe('The section “E-mail domains”', () => {
  it('shows the state, both forms and the TXT record of a claimed domain', async () => {
    const { section } = await opened({ domains: [claimedDomain] });
    expect(section.getByRole('heading', { level: 3 })).toHaveTextContent(
      'münchen.example xn--mnchen-3ya.example awaiting proof',
    );
    expect(section.getByText(/Publish this TXT record at your DNS provider/)).toBeVisible();
    for (const part of Object.values(claimedDomain.record)) expect(section.getByText(part)).toBeVisible();
    expect(section.getByRole('button', { name: 'Copy TXT record: value' })).toBeVisible();
    expect(section.queryByRole('button', { name: /^Change the effects…/ })).toBeNull();
  });

  it('says how long a domain works without its record', async () => {
    const { section } = await opened({ domains: [lapsingDomain] });
    expect(section.getByText(/have not found the TXT record since/)).toHaveTextContent(
      'Without the record, the domain works only until Dec 2, 2026, 9:00 AM UTC.',
    );
  });

  it('claims a domain, sends the password, and then shows the record', async () => {
    const page = await opened();
    await presses(page, 'Claim a domain…');
    await page.user.type(screen.getByLabelText('Domain'), ' münchen.example ');
    page.become([claimedDomain]);
    await confirms(page, 'Claim the domain');
    expect(await page.section.findByText('The domain is claimed. The list shows the next step.')).toBeVisible();
    expect(await page.section.findByText(claimedDomain.record.value)).toBeVisible();
    expect(page.changes()).toMatchObject([
      { method: 'POST', url: route, body: { domain: 'münchen.example', password: PASSWORD }, ifMatch: '"1283"' },
    ]);
  });

  it('asks for no TXT record after a repeated claim of a proven domain', async () => {
    const page = await opened({ domains: [provenDomain] });
    await presses(page, 'Claim a domain…');
    await page.user.type(screen.getByLabelText('Domain'), provenDomain.domain);
    await confirms(page, 'Claim the domain');
    expect(await page.section.findByText('The domain is claimed. The list shows the next step.')).toBeVisible();
    expect(page.section.queryByText(/^Publish/)).toBeNull();
  });

  it('shows the new state after a check, even if the check has recorded no event', async () => {
    const page = await opened({ domains: [lapsingDomain] });
    await presses(page, 'Check now… ⁨northwind.example⁩');
    page.become([provenDomain]);
    await confirms(page, 'Check now');
    expect(await page.section.findByText('proven')).toBeVisible();
    expect(page.changes()).toMatchObject([{ method: 'POST', url: `${route}/northwind.example/check` }]);
  });

  it('sends the next change with the newest revision, because the answer to the last one has no revision', async () => {
    let revision = 1283;
    const { user, sent } = await openOrganization('/settings', ({ url, key }: SentRequest) => {
      if (url.endsWith('/standing')) return { status: 200, data: rightsOf.owner };
      if (url.endsWith('/entitlements')) return { status: 200, data: { ...sampleEntitlements, revision } };
      if (key === undefined) return undefined;
      revision += 1;
      return DONE;
    });
    const check = await screen.findByRole('button', { name: /^Check now…/ });
    const reads = () => sent.filter(({ url }) => url.endsWith('/entitlements')).length;
    for (const expected of ['"1283"', '"1284"']) {
      const before = reads();
      await user.click(check);
      await user.type(screen.getByLabelText('Your password'), PASSWORD);
      await user.click(screen.getByRole('button', { name: 'Check now' }));
      await waitFor(() => expect(reads()).toBeGreaterThan(before));
      await act(() => Promise.resolve());
      expect(sent.findLast(({ key }) => key !== undefined)?.ifMatch).toBe(expected);
    }
  });

  it.each([
    ['absent', 'The TXT record of this claim is not there. DNS can need some hours to show a new record.'],
    ['redirected', 'The name is an alias of another name (CNAME). Publish the TXT record at this name itself.'],
    ['too-many', 'There are too many TXT records at this name. Publish only the record of this claim there.'],
    ['unreachable', 'The DNS servers gave no valid answer in time. Try again later.'],
  ])('says in the dialog why a check found no proof (%s)', async (why, words) => {
    const reply = { status: 409, data: { type: '/problems/not-proven', domain: 'münchen.example', why } };
    const page = await opened({ domains: [claimedDomain], reply });
    await presses(page, 'Check now… ⁨münchen.example⁩');
    await confirms(page, 'Check now');
    expect(await screen.findByText(words)).toBeVisible();
    expect(note()).toHaveTextContent(words);
  });

  it.each([
    [409, { type: 'domain-refused', domain: 'co.uk', why: 'public-suffix' }, 'Domain', /it is a public suffix/],
    [409, { type: 'domain-refused', domain: 'gmail.com', why: 'mail-provider' }, 'Domain', /of a mail provider/],
    [409, { type: 'domain-refused', domain: 'acme.internal', why: 'unknown-suffix' }, 'Domain', /no public suffix/],
    [409, { type: 'domain-refused', domain: 'long.example', why: 'too-long' }, 'Domain', /is too long for the name/],
    [403, { type: 'wrong-password' }, 'Your password', /This password is not right/],
    [403, { type: 'wrong-password', why: 'no-password' }, 'Your password', /Your account has no password yet/],
    [400, { type: 'malformed', errors: [{ path: 'domain', message: 'x' }] }, 'Domain', /the part of the addresses/],
  ])('shows the refusal %d %j of a claim beside its field', async (status, { type, ...facts }, field, words) => {
    const page = await opened({ reply: { status, data: { type: `/problems/${type}`, ...facts } } });
    await presses(page, 'Claim a domain…');
    await page.user.type(screen.getByLabelText('Domain'), 'co.uk');
    await confirms(page, 'Claim the domain');
    expect(await screen.findByText(words)).toBeVisible();
    expect(note()).toHaveTextContent(words);
    expect(screen.getByLabelText(field)).toHaveAttribute('aria-invalid', 'true');
    expect(screen.getByLabelText(field)).toHaveAttribute('aria-describedby', note().id);
  });

  it('changes both effects of a proven domain', async () => {
    const page = await opened({ domains: [provenDomain] });
    await presses(page, 'Change the effects… ⁨northwind.example⁩');
    expect(screen.getByLabelText('Automatic membership')).toBeChecked();
    await page.user.click(screen.getByLabelText('Automatic membership'));
    await page.user.click(screen.getByLabelText('No sign-in with a password'));
    await confirms(page, 'Save the effects');
    expect(await page.section.findByText('The effects are stored.')).toBeVisible();
    expect(page.changes()).toMatchObject([
      {
        ...{ method: 'PATCH', url: `${route}/northwind.example` },
        body: { automaticMembership: false, managed: true, password: PASSWORD },
      },
    ]);
  });

  it('sends only the effects that the person has changed, so that it keeps the change of another owner', async () => {
    const overtaken = { status: 412, data: { type: '/problems/stale', revision: 1284 } };
    const page = await opened({ domains: [provenDomain], reply: overtaken });
    await presses(page, 'Change the effects… ⁨northwind.example⁩');
    page.become([{ ...provenDomain, automaticMembership: false }]);
    await page.user.click(screen.getByLabelText('No sign-in with a password'));
    await confirms(page, 'Save the effects');
    expect(await screen.findByText(/Nothing was changed/)).toBeVisible();
    await page.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save the effects' }));
    await waitFor(() => expect(page.changes()).toHaveLength(2));
    for (const { body } of page.changes()) expect(body).toEqual({ managed: true, password: PASSWORD });
  });

  it('names the consequences before it withdraws a proven domain, and then moves the focus to the result', async () => {
    const page = await opened({ domains: [provenDomain], reply: { status: 204 } });
    await presses(page, 'Withdraw… ⁨northwind.example⁩');
    const question = screen.getByRole('alertdialog', { name: 'Withdraw ⁨northwind.example⁩?' });
    expect(question).toHaveAccessibleDescription(
      /passwords work again.*Another organization can then prove the domain/,
    );
    expect(within(question).getByRole('button', { name: 'Cancel' })).toHaveFocus();
    page.become([]);
    await page.user.click(within(question).getByRole('button', { name: 'Withdraw the domain' }));
    expect(await page.section.findByText('No e-mail domain is claimed.')).toBeVisible();
    expect(page.section.getByText('⁨northwind.example⁩ is withdrawn.')).toHaveFocus();
    expect(page.changes()).toMatchObject([{ method: 'DELETE', url: `${route}/northwind.example` }]);
  });

  it('offers only the withdrawal while the organization is closed', async () => {
    const rights = { ...rightsOf.owner, may: ['ReleaseEmailDomain'] };
    const { section } = await opened({ rights, domains: [provenDomain] });
    const changes = section.getAllByRole('button').filter((one) => one.hasAttribute('aria-haspopup'));
    expect(changes.map(({ textContent }) => textContent)).toEqual(['Withdraw… ⁨northwind.example⁩']);
  });

  it('does not request the domains for an administrator, and says who sees them', async () => {
    const rights = { ...rightsOf.admin, reads: ['document', 'history', 'names'] };
    const { section, sent } = await opened({ rights });
    expect(section.getByText('Only owners and operators see the e-mail domains.')).toBeVisible();
    expect(section.queryByRole('button')).toBeNull();
    expect(sent.filter(({ url }) => url === route)).toEqual([]);
  });

  it('shows the domains of a past moment without controls, also to an administrator', async () => {
    const rights = { ...rightsOf.admin, reads: ['document', 'history', 'names'] };
    const { section, sent } = await opened({ path: '/settings?asOf=1191', rights, domains: [provenDomain] });
    expect(section.getByText('The history does not contain the daily checks of the DNS records.')).toBeVisible();
    expect(section.getByText('proven')).toBeVisible();
    expect(section.queryAllByRole('button').filter((one) => one.hasAttribute('aria-haspopup'))).toEqual([]);
    expect(sent.find(({ url }) => url === route)?.params).toMatchObject({ asOf: '1191' });
  });

  it('shows no control and no next step at a past moment to an owner', async () => {
    const { section } = await opened({ path: '/settings?asOf=1191', domains: [claimedDomain] });
    expect(section.queryByText(/Publish this TXT record/)).toBeNull();
    expect(section.queryAllByRole('button').filter((one) => one.hasAttribute('aria-haspopup'))).toEqual([]);
  });
});
