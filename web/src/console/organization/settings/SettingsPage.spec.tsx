import { screen, within } from '@testing-library/react';
import { NORTHWIND, sampleDocument } from '../../../../../test/journeys/pages/samples';
import { openOrganization } from '../open-organization.testing';

const valueOf = async (label: string) =>
  within((await screen.findByText(label, { selector: 'dt' })).nextElementSibling as HTMLElement);

describe('The settings page', () => {
  it('shortens a long reason of the closing, and shows the whole reason after the person presses a button', async () => {
    const reason = 'long '.repeat(60);
    const closure = { reason, event: 9, at: '2026-05-02T09:00:00.000Z' };
    const { user } = await openOrganization('/settings', ({ url }) =>
      url === `/api/v1/organizations/${NORTHWIND}`
        ? { status: 200, data: { ...sampleDocument, closed: true, closure } }
        : undefined,
    );
    const closed = await valueOf('Closed');
    expect(closed.getByText(`${reason.slice(0, 200)}…`, { normalizer: (text) => text })).toBeVisible();
    await user.click(closed.getByRole('button', { name: 'more' }));
    expect(closed.getByText(reason, { normalizer: (text) => text })).toBeVisible();
  });

  it('shows the last change of a setting: the event, the actor and the previous value', async () => {
    const { user } = await openOrganization('/settings');
    await user.click(await (await valueOf('Name')).findByText('Last change'));
    const line = (await screen.findByRole('link', { name: /^#1,250 / })).closest('p')!;
    expect(line).toHaveTextContent(
      /Organization renamed by \u2068Ada Jansen\u2069 · before: \u2068Northwind GmbH & Co\u2069$/,
    );
  });

  it('shows the change that was the last recorded change at the moment of the page', async () => {
    const { user } = await openOrganization('/settings?asOf=1191');
    await user.click(await (await valueOf('Name')).findByText('Last change'));
    expect(await screen.findByRole('link', { name: /^#4 / })).toBeVisible();
    expect(screen.queryByRole('link', { name: /^#1,250 / })).toBeNull();
  });

  const renamed = (revision: number, at: string) => ({
    ...{ revision, type: 'OrganizationRenamed', at: `${at}T00:00:00.000Z`, actor: { kind: 'user', id: 'x' } },
  });
  const renamings = (changes: readonly object[], next: string | null = null) => ({
    status: 200,
    data: { path: '/name', changes, next },
  });

  it('shows the last change that was in force at the moment of the page', async () => {
    const { user } = await openOrganization('/settings?valid=2026-07-31T12:00:00.000Z', ({ url, params }) =>
      url.endsWith('/changes') && params['path'] === '/name'
        ? renamings([renamed(9, '2026-08-01'), renamed(7, '2026-01-01')])
        : undefined,
    );
    await user.click(await (await valueOf('Name')).findByText('Last change'));
    expect(await screen.findByRole('link', { name: /^#7 / })).toBeVisible();
    expect(screen.queryByRole('link', { name: /^#9 / })).toBeNull();
  });

  it('loads further changes of a setting until it finds the last change before the moment of the page', async () => {
    const { user } = await openOrganization('/settings?asOf=1191', ({ url, params }) => {
      if (!url.endsWith('/changes') || params['path'] !== '/name') return undefined;
      return 'cursor' in params
        ? renamings([renamed(7, '2026-01-01')])
        : renamings([renamed(1_240, '2026-08-01')], 'x');
    });
    await user.click(await (await valueOf('Name')).findByText('Last change'));
    expect(await screen.findByRole('link', { name: /^#7 / })).toBeVisible();
  });

  it('shows the settings with the roles that may change them, and no field to a person who may change nothing', async () => {
    await openOrganization('/settings');
    expect((await valueOf('Name')).getByText('Northwind GmbH')).toBeVisible();
    expect((await valueOf('Name')).getByText('Owners, administrators and operators change this.')).toBeVisible();
    expect((await valueOf('Pulse')).getByText('Operators change this.')).toBeVisible();
    expect((await valueOf('Parallel use')).getByText('not set')).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('shows the recipients of notifications by name, and the rule that selects them', async () => {
    await openOrganization('/settings');
    const recipients = within(await screen.findByRole('region', { name: 'Recipients of notifications' }));
    expect(await recipients.findByRole('link', { name: 'Ben Okafor' })).toBeVisible();
    expect(recipients.getByText('3 members')).toBeVisible();
    expect(recipients.getByText(/^While Pulse is on, every member gets notifications/)).toBeVisible();
  });

  it('requests only the names of the members that it shows', async () => {
    const { sent } = await openOrganization('/settings');
    await screen.findByRole('link', { name: 'Ben Okafor' });
    expect(sent.filter(({ url }) => url.endsWith('/members'))).toEqual([]);
    const [names, ...more] = sent.filter(({ url }) => url.endsWith('/names'));
    expect([(names!.body as { ids: object[] }).ids, more]).toMatchObject([{ length: 3 }, []]);
  });

  it('takes the names from the list of members if the person may not request names', async () => {
    const standing = { organization: 'x', roles: ['member'], may: [], reads: ['document'], grants: [] };
    const { sent } = await openOrganization('/settings', ({ url }) =>
      url.endsWith('/standing') ? { status: 200, data: standing } : undefined,
    );
    expect(await screen.findByRole('link', { name: 'Ben Okafor' })).toBeVisible();
    expect(sent.filter(({ url }) => url.endsWith('/members'))).toHaveLength(1);
  });

  it('shows single sign-on without its secret', async () => {
    await openOrganization('/settings');
    expect((await valueOf('Issuer')).getByText('https://login.northwind.example')).toBeVisible();
    expect((await valueOf('Secret')).getByText('stored, never shown')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Copy Callback address' })).toBeVisible();
  });

  it('requests no settings of single sign-on for a person without the right to read them', async () => {
    const standing = { organization: 'x', roles: ['admin'], may: [], reads: ['document', 'history'], grants: [] };
    const { sent } = await openOrganization('/settings', ({ url }) =>
      url.endsWith('/standing') ? { status: 200, data: standing } : undefined,
    );
    expect(await screen.findByText('Only owners and operators see these settings.')).toBeVisible();
    expect(sent.filter(({ url }) => url.endsWith('/single-sign-on'))).toEqual([]);
  });

  it('shows the past settings of single sign-on to a person with the right to audit', async () => {
    const standing = { organization: 'x', roles: [], may: [], reads: ['document', 'history'], grants: [] };
    await openOrganization('/settings?asOf=1191', ({ url }) =>
      url.endsWith('/standing') ? { status: 200, data: standing } : undefined,
    );
    expect((await valueOf('Issuer')).getByText('https://login.northwind.example')).toBeVisible();
  });

  it.each([
    ['Name', '%2Fname'],
    ['Pulse', '%2Fpulse'],
    ['Parallel use', '%2FpulseDetails%2FparallelUse'],
  ])('links from %s to all values that this setting ever had', async (label, path) => {
    const { user } = await openOrganization('/settings');
    const value = await valueOf(label);
    await user.click(value.getByText(/^Last change/, { selector: 'summary' }));
    const link = await value.findByRole('link', { name: `All values (${label})` });
    expect(link.getAttribute('href')).toMatch(new RegExp(`/changes\\?path=${path}$`));
  });

  it('links to the events that changed single sign-on', async () => {
    await openOrganization('/settings');
    const link = await screen.findByRole('link', { name: 'Events of single sign-on' });
    expect(link.getAttribute('href')).toMatch(/\/history\?about=%2FsingleSignOn$/);
  });

  it("marks what differs between the page's moment and the present", async () => {
    await openOrganization('/settings?asOf=1191');
    expect((await valueOf('Parallel use')).getByText('yes (now not set)')).toBeVisible();
  });
});
