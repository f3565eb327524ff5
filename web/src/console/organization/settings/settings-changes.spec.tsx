import { screen, within } from '@testing-library/react';
import { answering, NORTHWIND, people, rightsOf, sampleDocument } from '../../../../../test/journeys/pages/samples';
import type { ConsoleReply, SentRequest } from '../../open.testing';
import { openOrganization } from '../open-organization.testing';

const organization = `/api/v1/organizations/${NORTHWIND}`;
const DONE: ConsoleReply = { status: 200, data: { revision: 1284, events: [{}] } };

type Wish = Readonly<{ path?: string; rights?: object; reply?: ConsoleReply | Promise<ConsoleReply> }>;

/** Opens the settings as a person with these rights. The service answers each change with `reply`. */
async function opened({ path = '/settings', rights = rightsOf.operator, reply = DONE }: Wish = {}) {
  const page = await openOrganization(path, ({ method, url, key }: SentRequest) => {
    if (url.endsWith('/standing')) return { status: 200, data: rights };
    return method !== 'GET' && key !== undefined ? reply : undefined;
  });
  await screen.findByText('Northwind GmbH', { selector: 'dd bdi' });
  return { ...page, changes: () => page.sent.filter(({ key }) => key !== undefined) };
}

describe('The controls of the settings page', () => {
  it('store a new name of the organization', async () => {
    const { user, changes } = await opened();
    const field = screen.getByLabelText('New name');
    await user.clear(field);
    await user.type(field, 'Southwind');
    await user.click(screen.getByRole('button', { name: 'Rename' }));
    expect(await screen.findByText('The setting is stored.')).toBeVisible();
    expect(changes()).toMatchObject([
      { method: 'PATCH', url: organization, body: { name: 'Southwind' }, ifMatch: '"1283"' },
    ]);
  });

  it('send nothing if the person keeps the stored value', async () => {
    const { user, changes } = await opened();
    await user.click(screen.getByRole('button', { name: 'Rename' }));
    expect(await screen.findByText('This is the stored text.')).toBeVisible();
    expect(changes()).toEqual([]);
  });

  it('keep the typed name in the field until it is stored, even if another person renames the organization meanwhile', async () => {
    let name = 'Northwind GmbH';
    const { user, sent } = await openOrganization('/settings', ({ method, url, body }: SentRequest) => {
      if (url.endsWith('/standing')) return { status: 200, data: rightsOf.operator };
      if (url !== organization) return undefined;
      if (method === 'PATCH') {
        if (name === 'Eastwind') return DONE;
        name = 'Eastwind';
        return { status: 412, data: { type: '/problems/stale', revision: 1284 } };
      }
      const usual = answering(people.ada)({ method, path: url, body, xsrf: '' }) as { status: number; body: object };
      return { status: 200, data: { ...usual.body, name } };
    });
    const field = await screen.findByLabelText('New name');
    await user.clear(field);
    await user.type(field, 'Southwind');
    await user.click(screen.getByRole('button', { name: 'Rename' }));
    expect(await screen.findByText('Eastwind', { selector: 'dd bdi' })).toBeVisible();
    expect(screen.getByLabelText('New name')).toHaveValue('Southwind');
    await user.click(screen.getByRole('button', { name: 'Rename' }));
    expect(await screen.findByText('The setting is stored.')).toBeVisible();
    expect(sent.filter(({ key }) => key !== undefined).map(({ body }) => body)).toEqual([
      { name: 'Southwind' },
      { name: 'Southwind' },
    ]);
  });

  it('show a refusal beside the field that it is about', async () => {
    const malformed = { status: 400, data: { type: '/problems/malformed', errors: [{ path: 'name', message: 'x' }] } };
    const { user } = await opened({ reply: malformed });
    await user.clear(screen.getByLabelText('New name'));
    await user.click(screen.getByRole('button', { name: 'Rename' }));
    expect(await screen.findByText('Write a name of 1 to 200 characters on one line.')).toBeVisible();
    expect(screen.getByLabelText('New name')).toHaveAttribute('aria-invalid', 'true');
  });

  it('store a new value of the setting “Parallel use”', async () => {
    const { user, changes } = await opened();
    await user.selectOptions(screen.getByLabelText('New value of Parallel use'), 'no');
    await user.click(screen.getByRole('button', { name: 'Save Parallel use' }));
    expect(await screen.findByText('The setting is stored.')).toBeVisible();
    expect(changes()).toMatchObject([
      { method: 'PUT', url: `${organization}/parallel-use`, body: { parallelUse: false } },
    ]);
  });

  it('keep a value that the person chooses while the service stores another one', async () => {
    const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
    const { user } = await opened({ reply: promise });
    const choice = screen.getByLabelText('New value of Parallel use');
    await user.selectOptions(choice, 'no');
    await user.click(screen.getByRole('button', { name: 'Save Parallel use' }));
    await user.selectOptions(choice, 'yes');
    resolve(DONE);
    expect(await screen.findByText('The setting is stored.')).toBeVisible();
    expect(choice).toHaveValue('yes');
  });

  it('switch the product off after the person confirms', async () => {
    const { user, changes } = await opened();
    await user.selectOptions(screen.getByLabelText('New value of Pulse'), 'Off');
    for (const button of ['Cancel', 'Switch off']) {
      await user.click(screen.getByRole('button', { name: 'Save Pulse' }));
      const question = within(screen.getByRole('alertdialog', { name: /^Switch .*Pulse.* off for .*Northwind GmbH/ }));
      expect(question.getByText(/^All features turn off for all members\./)).toBeVisible();
      expect(changes()).toEqual([]);
      await user.click(question.getByRole('button', { name: button }));
    }
    expect(await screen.findByText('The setting is stored.')).toBeVisible();
    expect(changes()).toMatchObject([
      { method: 'PUT', url: `${organization}/product`, body: { enabled: false }, ifMatch: '"1283"' },
    ]);
  });

  it('still say that the organization is closed after the service allows the person other changes', async () => {
    let isClosed = false;
    // Waits before each answer, so that the answers arrive one after the other.
    const later = (reply: ConsoleReply) => new Promise<ConsoleReply>((resolve) => setTimeout(() => resolve(reply), 50));
    const present = (path: string) =>
      (answering(people.ada)({ method: 'GET', path, body: undefined, xsrf: '' }) as { body: object }).body;
    const { user, sent } = await openOrganization('/settings', ({ method, url }: SentRequest) => {
      if (url.endsWith('/close')) {
        isClosed = true;
        return DONE;
      }
      if (url.endsWith('/standing')) {
        const may = rightsOf.operator.may.filter((one) => isClosed === (one === 'ReopenOrganization'));
        return later({ status: 200, data: { ...rightsOf.operator, may } });
      }
      if (method !== 'GET' || !isClosed) return undefined;
      if (url === organization) return later({ status: 200, data: { ...present(url), closed: true } });
      return url === `${organization}/entitlements`
        ? { status: 200, data: { ...present(url), revision: 1284 } }
        : undefined;
    });
    await user.click(await screen.findByRole('button', { name: 'Close the organization…' }));
    await user.type(screen.getByLabelText('Reason'), 'Contract ended');
    await user.click(screen.getByRole('button', { name: 'Close the organization' }));
    expect(await screen.findByRole('button', { name: 'Reopen the organization…' })).toBeVisible();
    expect(sent.filter(({ url }) => url.endsWith('/standing'))).toHaveLength(2);
    expect(screen.getByText('The organization is closed.')).toBeVisible();
  });

  it('close the organization after a dialog that asks for a reason', async () => {
    const { user, changes } = await opened();
    await user.click(await screen.findByRole('button', { name: 'Close the organization…' }));
    const question = within(screen.getByRole('alertdialog', { name: /^Close .*Northwind GmbH/ }));
    expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await user.type(question.getByLabelText('Reason'), 'Contract ended');
    await user.click(question.getByRole('button', { name: 'Close the organization' }));
    expect(await screen.findByText('The organization is closed.')).toBeVisible();
    expect(changes()).toMatchObject([{ url: `${organization}/close`, body: { reason: 'Contract ended' } }]);
  });

  it('reopen the organization with a reason', async () => {
    const closed = { ...sampleDocument, closed: true };
    const { user, sent } = await openOrganization('/settings', ({ method, url, key }: SentRequest) => {
      if (url.endsWith('/standing')) return { status: 200, data: rightsOf.operator };
      if (url === organization && method === 'GET') return { status: 200, data: closed };
      return key === undefined ? undefined : DONE;
    });
    await user.click(await screen.findByRole('button', { name: 'Reopen the organization…' }));
    const dialog = within(screen.getByRole('dialog', { name: /^Reopen .*Northwind GmbH/ }));
    expect(dialog.getByText('The plans and add-ons of the organization are in force again.')).toBeVisible();
    expect(dialog.getByLabelText('Reason')).toHaveFocus();
    await user.type(dialog.getByLabelText('Reason'), 'Contract renewed');
    await user.click(dialog.getByRole('button', { name: 'Reopen the organization' }));
    expect(await screen.findByText('The organization is open again.')).toBeVisible();
    expect(sent.filter(({ key }) => key !== undefined)).toMatchObject([
      { method: 'POST', url: `${organization}/reopen`, body: { reason: 'Contract renewed' }, ifMatch: '"1283"' },
    ]);
  });

  it("store the sign-in provider, and then no longer contain the field with the provider's secret", async () => {
    const { user, changes } = await opened({ rights: rightsOf.owner });
    await user.click(await screen.findByRole('button', { name: 'Change the provider…' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Sign-in provider' }));
    expect(dialog.getByLabelText('Issuer')).toHaveValue('https://login.northwind.example');
    expect(dialog.getByLabelText('Secret')).toHaveAttribute('type', 'password');
    await user.type(dialog.getByLabelText('Secret'), 'hush');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Members can sign in through this provider now.')).toBeVisible();
    expect(changes()).toMatchObject([{ method: 'PUT', body: { clientSecret: 'hush' } }]);
    expect(screen.queryByLabelText('Secret')).toBeNull();
  });

  it('remove the sign-in provider after the person confirms, and then move the focus to a button that still exists', async () => {
    let isStored = true;
    const { user, sent } = await openOrganization('/settings', ({ method, url, body }: SentRequest) => {
      if (url.endsWith('/standing')) return { status: 200, data: rightsOf.owner };
      if (url !== `${organization}/single-sign-on` || (method === 'GET' && isStored)) return undefined;
      isStored = false;
      if (method === 'DELETE') return DONE;
      const usual = answering(people.ada)({ method, path: url, body, xsrf: '' }) as { body: object };
      return { status: 200, data: { ...usual.body, issuer: null, clientId: null } };
    });
    for (const button of ['Cancel', 'Remove the provider']) {
      await user.click(await screen.findByRole('button', { name: 'Remove the provider…' }));
      const question = within(
        screen.getByRole('alertdialog', { name: /^Remove the sign-in provider of .*Northwind GmbH/ }),
      );
      expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
      expect(question.getByText(/^Members cannot sign in through this provider any more\./)).toBeVisible();
      expect(sent.filter(({ key }) => key !== undefined)).toEqual([]);
      await user.click(question.getByRole('button', { name: button }));
    }
    expect(await screen.findByText('The provider is removed.')).toBeVisible();
    expect(sent.filter(({ key }) => key !== undefined)).toMatchObject([
      { method: 'DELETE', url: `${organization}/single-sign-on`, ifMatch: '"1283"' },
    ]);
    expect(await screen.findByRole('button', { name: 'Set up single sign-on…' })).toHaveFocus();
    expect(screen.queryByRole('button', { name: 'Remove the provider…' })).toBeNull();
  });

  it('say why the service does not store a provider that does not answer', async () => {
    const reply = { status: 409, data: { type: '/problems/provider-unreachable' } };
    const { user } = await opened({ rights: rightsOf.owner, reply });
    await user.click(await screen.findByRole('button', { name: 'Change the provider…' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('No OpenID Connect provider answers at this issuer.')).toBeVisible();
  });

  it('are absent for an owner where only operators may change the setting', async () => {
    await opened({ rights: rightsOf.owner });
    expect(screen.getByLabelText('New name')).toBeVisible();
    expect(screen.getByLabelText('New value of Parallel use')).toBeVisible();
    expect(screen.queryByLabelText('New value of Pulse')).toBeNull();
    expect(screen.queryByRole('button', { name: /^Close the organization/ })).toBeNull();
  });

  it('are absent while the page shows the past', async () => {
    await opened({ path: '/settings?asOf=1191' });
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button', { name: /Save|Rename|Close|provider/ })).toBeNull();
  });
});
