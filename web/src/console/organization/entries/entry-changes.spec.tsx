import { screen, waitFor, within } from '@testing-library/react';
import { NORTHWIND, rightsOf, sampleEntitlements } from '../../../../../test/journeys/pages/samples';
import { SHOP } from '../../../../../test/journeys/pages/samples/lists';
import type { ConsoleReply, SentRequest } from '../../open.testing';
import { openOrganization } from '../open-organization.testing';

const organization = `/api/v1/organizations/${NORTHWIND}`;
const DONE: ConsoleReply = { status: 200, data: { revision: 1284, events: [{}] } };
const stored = { hostname: 'xn--mnchen-3ya.example', unicode: 'münchen.example' };
const PREVIEW = {
  ...{ revision: 1283, events: [], may: [], features: { gained: [], lost: [], terms: {} } },
  limits: {
    contentSections: { after: { used: 3, limit: 5 } },
    webAnalyticsDomains: { after: { used: 2, limit: 1000 } },
  },
  state: [{ op: 'add', path: '/sites/s', value: stored }],
};

type Wish = Readonly<{
  rights?: object;
  reply?: ConsoleReply | Promise<ConsoleReply>;
  preview?: object;
  /** The answer in place of the preview. Undefined: the service answers with the preview. */
  failure?: () => ConsoleReply | undefined;
  remaining?: number;
}>;

/**
 * Opens a page as a person with these rights. The service answers each change with `reply`, and each preview with
 * `preview`.
 */
async function opened(
  path: string,
  { rights = rightsOf.owner, reply = DONE, preview = PREVIEW, failure, remaining = 3 }: Wish = {},
) {
  const { contentSections } = sampleEntitlements.limits;
  const limits = { ...sampleEntitlements.limits, contentSections: { ...contentSections, remaining } };
  const page = await openOrganization(path, ({ method, url, key }: SentRequest) => {
    if (url.endsWith('/standing')) return { status: 200, data: rights };
    if (url.endsWith('/entitlements')) return { status: 200, data: { ...sampleEntitlements, limits } };
    if (url.endsWith('/preview')) return failure?.() ?? { status: 200, data: preview };
    return method !== 'GET' && key !== undefined ? reply : undefined;
  });
  const changes = () => page.sent.filter(({ key, url }) => key !== undefined && !url.endsWith('/preview'));
  return { ...page, changes };
}

/** Waits for the preview of the complete hostname. Resolves with the button of the dialog. */
async function addButton() {
  const button = within(screen.getByRole('dialog')).getByRole('button', { name: 'Add' });
  await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'false'));
  return button;
}

describe('Adding a site', () => {
  it('shows both forms of the hostname that the service would store, before the person sends it', async () => {
    const { user, changes, sent } = await opened('/sites');
    await user.click(await screen.findByRole('button', { name: 'Add a site…' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Add a site' }));
    await user.type(dialog.getByLabelText('Hostname'), 'MÜNCHEN.example');
    expect(await dialog.findByText('xn--mnchen-3ya.example')).toBeVisible();
    expect(dialog.getByText('münchen.example')).toBeVisible();
    expect(dialog.getByText('Then 3 of 5.')).toBeVisible();
    const add = await addButton();
    expect(sent.findLast(({ url }) => url.endsWith('/preview'))).toMatchObject({
      body: { commands: [{ type: 'AddSite', data: { hostname: 'MÜNCHEN.example' } }] },
    });
    expect(changes()).toEqual([]);
    await user.click(add);
    expect(await screen.findByText(/is added\.$/)).toBeVisible();
    expect(changes()).toMatchObject([
      { method: 'POST', url: `${organization}/sites`, body: { hostname: 'MÜNCHEN.example' }, ifMatch: '"1283"' },
    ]);
    expect(screen.getByRole('button', { name: 'Add a site…' })).toHaveFocus();
  });

  it('shows why the service would refuse the hostname, before the person presses Add', async () => {
    const problem = { type: '/problems/hostname-taken', hostname: 'shop.example' };
    const { user } = await opened('/sites', { preview: { ...PREVIEW, state: [], refused: { index: 0, problem } } });
    await user.click(await screen.findByRole('button', { name: 'Add a site…' }));
    await user.type(screen.getByLabelText('Hostname'), 'shop.example');
    expect(await screen.findByText(/is in this list already\.$/)).toBeVisible();
  });

  it.each([
    ['has too many requests of the person', 429, '/problems/too-many-at-once'],
    ['is busy', 503, '/problems/busy'],
  ])('does not call the hostname wrong if the service %s, and offers to check it again', async (_, status, type) => {
    let failed = true;
    const failure = () => (failed ? { status, data: { type, title: 'Not now', instance: 'r-1' } } : undefined);
    const { user } = await opened('/sites', { failure });
    await user.click(await screen.findByRole('button', { name: 'Add a site…' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('Hostname'), 'münchen.example');
    await addButton();
    expect(dialog.getByLabelText('Hostname')).toHaveAttribute('aria-invalid', 'false');
    expect(dialog.getByText(/^(Check of the hostname: unavailable right now|Too many attempts)\./)).toBeVisible();
    failed = false;
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await dialog.findByText('xn--mnchen-3ya.example')).toBeVisible();
    expect(dialog.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('explains the limit instead of showing the form if the limit is reached', async () => {
    const { user } = await opened('/sites', { remaining: 0 });
    await user.click(await screen.findByRole('button', { name: 'Add a site…' }));
    expect(screen.queryByLabelText('Hostname')).toBeNull();
    expect(await screen.findByRole('link', { name: 'Try one more content section' })).toBeVisible();
  });

  it('shows how the limit is computed, and a link to try an add-on, if another person has used the last free place', async () => {
    const because = [
      { kind: 'plan', what: 'second/teams', amount: 2, event: 1101, at: '2025-02-03T09:00:00.000Z' },
      {
        kind: 'add-on',
        what: 'additionalContentSection',
        quantity: 1,
        amount: 1,
        event: 1140,
        at: '2025-03-04T09:00:00.000Z',
      },
    ];
    const problem = {
      type: '/problems/limit-exceeded',
      limit: 'contentSections',
      used: 3,
      allowed: 3,
      hard: null,
      because,
    };
    const { user } = await opened('/sites', { reply: { status: 409, data: problem } });
    await user.click(await screen.findByRole('button', { name: 'Add a site…' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('Hostname'), 'a.example');
    await user.click(await addButton());
    expect(await dialog.findByText('2 from Pulse Teams + 1 from Content section = 3')).toBeVisible();
    const link = await dialog.findByRole('link', { name: 'Try one more content section' });
    expect(link.getAttribute('href')).toBe(`/org/${NORTHWIND}/plan?try=additionalContentSection%3A2`);
  });

  it('shows the refusal beside the field, and hides the refusal when the person changes the hostname', async () => {
    const malformed = {
      status: 400,
      data: { type: '/problems/malformed', errors: [{ path: 'hostname', message: 'x' }] },
    };
    const { user } = await opened('/sites', { reply: malformed });
    await user.click(await screen.findByRole('button', { name: 'Add a site…' }));
    await user.type(screen.getByLabelText('Hostname'), 'a b');
    await user.click(await addButton());
    const alert = within(screen.getByRole('dialog')).getByRole('alert');
    await waitFor(() => expect(alert).toHaveTextContent('Write a hostname without a port, such as shop.example.com.'));
    await user.type(screen.getByLabelText('Hostname'), '{Backspace}{Backspace}');
    expect(alert).toBeEmptyDOMElement();
    expect(await within(screen.getByRole('dialog')).findByText('xn--mnchen-3ya.example')).toBeVisible();
  });
});

describe('Removing an entry', () => {
  it('asks the person first; the question contains the hostname and the name of the organization', async () => {
    const { user, changes } = await opened('/sites');
    await user.click(await screen.findByRole('button', { name: 'Remove… münchen.example' }));
    const question = within(
      screen.getByRole('alertdialog', { name: /Remove .*münchen.example.* from .*Northwind GmbH/ }),
    );
    expect(changes()).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText(/is removed\.$/)).toBeVisible();
    expect(changes()).toMatchObject([{ method: 'DELETE' }]);
  });

  it('sends the command that removes a domain', async () => {
    const { user, changes } = await opened('/domains');
    await user.click(await screen.findByRole('button', { name: 'Remove… blog.northwind.example' }));
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(changes()).toMatchObject([{ url: `${organization}/web-analytics/domains/d2` }]));
  });
});

describe('The two lists of domains', () => {
  it('have a button to add a domain only where the feature is on', async () => {
    const { user } = await opened('/domains');
    const buttons = await screen.findAllByRole('button', { name: 'Add a domain…' });
    expect(buttons).toHaveLength(1);
    await user.click(buttons[0]!);
    await user.type(screen.getByLabelText('Hostname'), 'münchen.example');
    expect(await screen.findByText('Then 2 of 1,000.')).toBeVisible();
  });
});

describe('The page of a site', () => {
  it('stores several switches with one press; a switch that follows the plan is stored as null', async () => {
    const { user, changes } = await opened(`/sites/${SHOP}`);
    const logo = within(await screen.findByRole('group', { name: 'Logo' }));
    expect(logo.getByRole('radio', { name: 'Off' })).toBeChecked();
    await user.click(logo.getByRole('radio', { name: 'As the plan says' }));
    await user.click(within(screen.getByRole('group', { name: 'Reports' })).getByRole('radio', { name: 'Off' }));
    await user.click(screen.getByRole('button', { name: 'Save 2 switches' }));
    expect(await screen.findByText('The switches are stored.')).toBeVisible();
    expect(changes()).toMatchObject([
      { method: 'PATCH', url: `${organization}/sites/${SHOP}`, body: { features: { logo: null, reports: false } } },
    ]);
  });

  it('keeps the switches that the person chooses while the service stores others', async () => {
    const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
    const { user } = await opened(`/sites/${SHOP}`, { reply: promise });
    const logo = within(await screen.findByRole('group', { name: 'Logo' }));
    const reports = within(screen.getByRole('group', { name: 'Reports' }));
    await user.click(logo.getByRole('radio', { name: 'As the plan says' }));
    await user.click(screen.getByRole('button', { name: 'Save 1 switch' }));
    await user.click(reports.getByRole('radio', { name: 'Off' }));
    await user.click(logo.getByRole('radio', { name: 'On' }));
    resolve(DONE);
    expect(await screen.findByText('The switches are stored.')).toBeVisible();
    expect(reports.getByRole('radio', { name: 'Off' })).toBeChecked();
    expect(logo.getByRole('radio', { name: 'On' })).toBeChecked();
  });

  it('renames the site', async () => {
    const { user, changes } = await opened(`/sites/${SHOP}`);
    const field = await screen.findByLabelText('Name of the site');
    await user.clear(field);
    await user.type(field, 'New Shop');
    await user.click(screen.getByRole('button', { name: 'Rename' }));
    expect(await screen.findByText('The site has a new name.')).toBeVisible();
    expect(changes()).toMatchObject([{ body: { name: 'New Shop' } }]);
  });
});

describe('The controls of sites and domains', () => {
  it.each(['/sites', '/domains', `/sites/${SHOP}`, '/sites?asOf=1191'])(
    'are absent on %s if the person may change nothing, or if the page shows the past',
    async (path) => {
      await opened(path, path.includes('asOf') ? {} : { rights: { ...rightsOf.owner, may: [] } });
      await screen.findAllByText(/Northwind|Domains/);
      expect(screen.queryByRole('button', { name: /^(Add|Remove|Rename|Save)/ })).toBeNull();
    },
  );
});
