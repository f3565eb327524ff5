import { screen, within } from '@testing-library/react';
import { openOrganization } from '../open-organization.testing';

const valueOf = async (label: string) =>
  within((await screen.findByText(label, { selector: 'dt' })).nextElementSibling as HTMLElement);

describe('The settings page', () => {
  it('shows each setting with the roles that may change it, and no control', async () => {
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

  it('compares the past with the present', async () => {
    await openOrganization('/settings?asOf=1191');
    expect((await valueOf('Parallel use')).getByText('yes (now not set)')).toBeVisible();
  });
});
