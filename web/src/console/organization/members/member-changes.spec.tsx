import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { NORTHWIND, rightsOf, sampleEntitlements } from '../../../../../test/journeys/pages/samples';
import { BEN } from '../../../../../test/journeys/pages/samples/lists';
import type { ConsoleReply, SentRequest } from '../../open.testing';
import { announcements } from '../../announcements.testing';
import { Chooser } from '../../chooser/Chooser';
import { Tools } from '../../frame/Tools';
import { openOrganization } from '../open-organization.testing';

const members = `/api/v1/organizations/${NORTHWIND}/members`;
const DONE: ConsoleReply = { status: 200, data: { revision: 1284, events: [{}] } };
const refused = (reason: string, facts: object = {}): ConsoleReply => ({
  status: 409,
  data: { type: `/problems/${reason}`, ...facts },
});

type Wish = Readonly<{
  path?: string;
  rights?: object;
  reply?: ConsoleReply | Promise<ConsoleReply>;
  but?: (request: SentRequest) => ConsoleReply | undefined;
}>;

/** Opens the list of members as a person with these rights. The service answers each change with `reply`. */
async function opened({ path = '/members', rights = rightsOf.owner, reply = DONE, but }: Wish = {}) {
  const page = await openOrganization(path, (request) => {
    const { method, url } = request;
    if (url.endsWith('/standing')) return { status: 200, data: rights };
    const isChange = method === 'PATCH' || method === 'DELETE' || (method === 'POST' && url === members);
    return but?.(request) ?? (isChange ? reply : undefined);
  });
  await screen.findByRole('link', { name: 'Ada Jansen' });
  const changes = () => page.sent.filter(({ key }) => key !== undefined);
  const openMenu = async (name: string) => {
    await page.user.click(screen.getByRole('button', { name: `Change ${name}` }));
    return within(screen.getByRole('menu'));
  };
  return { ...page, changes, openMenu };
}

const rowOf = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }));
const isolated = (name: string) => `\u2068${name}\u2069`;

describe('An invitation', () => {
  it('shows how many users the organization would then have, and sends the e-mail address and the role', async () => {
    const { user, changes } = await opened();
    const button = await screen.findByRole('button', { name: 'Invite…' });
    await user.click(button);
    const dialog = within(screen.getByRole('dialog', { name: 'Invite a person' }));
    expect(dialog.getByText('Then 8 of 8 users.')).toBeVisible();
    expect(dialog.getByLabelText('E-mail address')).toHaveFocus();
    await user.type(dialog.getByLabelText('E-mail address'), ' erik@northwind.example');
    await user.selectOptions(dialog.getByLabelText('Role'), 'admin');
    await user.click(dialog.getByRole('button', { name: 'Send the invitation' }));
    expect(await screen.findByText(`${isolated('erik@northwind.example')} is invited.`)).toBeVisible();
    expect(changes()).toMatchObject([
      { method: 'POST', url: members, body: { email: 'erik@northwind.example', role: 'admin' } },
    ]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(button).toHaveFocus();
  });

  it('reports that the person is a member already if the service has recorded no event, and offers no undo', async () => {
    const { user } = await opened({ reply: { status: 200, data: { revision: 1283, events: [] } } });
    await user.click(await screen.findByRole('button', { name: 'Invite…' }));
    await user.type(screen.getByLabelText('E-mail address'), 'ben@northwind.example');
    await user.click(screen.getByRole('button', { name: 'Send the invitation' }));
    const said = `${isolated('ben@northwind.example')} is a member already, with this role.`;
    expect(await screen.findByText(said, { exact: false })).toBeVisible();
    expect(screen.queryByText(/is invited\.$/)).toBeNull();
    expect(screen.queryByRole('link', { name: 'Undo…' })).toBeNull();
  });

  it('opens with the key i, and closes with Cancel without a request', async () => {
    const { user, changes } = await opened();
    await screen.findByRole('button', { name: 'Invite…' });
    await user.keyboard('i');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(changes()).toEqual([]);
  });

  it('opens on the page of members if the person chooses it in the search dialog', async () => {
    const { user } = await openOrganization(
      '/overview',
      ({ url }) => (url.endsWith('/standing') ? { status: 200, data: rightsOf.owner } : undefined),
      <Tools />,
    );
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox', { name: 'Find or do' }), '>invite');
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Invite a person' })).toBeVisible();
  });

  it('shows how the limit is computed, instead of the form, if the limit is reached', async () => {
    const full = ({ url }: SentRequest) =>
      url.endsWith('/entitlements') ? { status: 200, data: withUsers({ used: 8, remaining: 0 }) } : undefined;
    const { user } = await opened({ but: full });
    await user.click(await screen.findByRole('button', { name: 'Invite…' }));
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.getByText('8 of 8 users are taken. No more can join.')).toBeVisible();
    expect(dialog.getByText('5 from Pulse Teams + 3 from User = 8; hard limit 10; so 8')).toBeVisible();
    expect(dialog.queryByLabelText('E-mail address')).toBeNull();
    const link = await dialog.findByRole('link', { name: 'Try one more user' });
    expect(link.getAttribute('href')).toBe(`/org/${NORTHWIND}/plan?try=additionalUser%3A4`);
  });

  it('shows a refusal in the dialog, beside the field that it is about', async () => {
    const malformed = { status: 400, data: { type: '/problems/malformed', errors: [{ path: 'email', message: 'x' }] } };
    const { user } = await opened({ reply: malformed });
    await user.click(await screen.findByRole('button', { name: 'Invite…' }));
    await user.click(screen.getByRole('button', { name: 'Send the invitation' }));
    expect(await screen.findByText('Write an e-mail address, such as ada@example.com.')).toBeVisible();
    expect(screen.getByLabelText('E-mail address')).toHaveAttribute('aria-invalid', 'true');
    await user.type(screen.getByLabelText('E-mail address'), 'e');
    expect(screen.getByLabelText('E-mail address')).toHaveAttribute('aria-invalid', 'false');
  });

  it('is repeated with the same `Idempotency-Key` while its outcome is unknown', async () => {
    let answers = 0;
    const { user, changes } = await opened({
      but: ({ method, url }) =>
        method === 'POST' && url === members && (answers += 1) === 1
          ? { status: 503, data: { type: '/problems/unavailable' } }
          : undefined,
    });
    await user.click(await screen.findByRole('button', { name: 'Invite…' }));
    await user.type(screen.getByLabelText('E-mail address'), 'erik@northwind.example');
    const send = screen.getByRole('button', { name: 'Send the invitation' });
    await user.click(send);
    await user.click(await screen.findByRole('button', { name: 'Ask again now' }));
    expect(await screen.findByText(/is invited\.$/)).toBeVisible();
    const [first, second] = changes();
    expect(second).toEqual(first);
    expect(changes()).toHaveLength(2);
  });
});

describe('The menu of a member', () => {
  it('changes the role, announces the new role once, and returns the focus to the button of the menu', async () => {
    const { openMenu, user, changes } = await opened();
    const menu = await openMenu('Ben Okafor');
    expect(menu.getByRole('menuitemradio', { name: 'Admin' })).toHaveAttribute('aria-checked', 'true');
    const announced = announcements();
    await user.click(menu.getByRole('menuitemradio', { name: 'Owner' }));
    expect(await screen.findByText(`${isolated('Ben Okafor')} has the role Owner now.`)).toBeVisible();
    expect(changes()).toMatchObject([{ method: 'PATCH', url: `${members}/${BEN}`, body: { role: 'owner' } }]);
    expect(screen.getByRole('button', { name: 'Change Ben Okafor' })).toHaveFocus();
    expect(announced).toEqual([`${isolated('Ben Okafor')} has the role Owner now.`]);
  });

  it('can make a member a user of the product', async () => {
    const { openMenu, user, changes } = await opened();
    const menu = await openMenu('Ben Okafor');
    await user.click(menu.getByRole('menuitemcheckbox', { name: 'Pulse user' }));
    expect(await screen.findByText(`${isolated('Ben Okafor')} is a Pulse user now.`)).toBeVisible();
    expect(changes()).toMatchObject([{ body: { productUser: true } }]);
  });

  it('sends a new link to an invited person', async () => {
    const { openMenu, user, changes } = await opened();
    const menu = await openMenu('carla@northwind.example');
    await user.click(menu.getByRole('menuitem', { name: 'Send the link again' }));
    expect(
      await screen.findByText(/^A mail with a new link goes to .*, at most three times in 15 minutes\.$/),
    ).toBeVisible();
    expect(rowOf('carla@northwind.example').getByText('New link requested')).toBeVisible();
    expect(changes()).toMatchObject([{ body: { email: 'carla@northwind.example', role: 'member' } }]);
  });

  it('takes an invitation back after the person confirms', async () => {
    const { openMenu, user, changes } = await opened();
    const menu = await openMenu('carla@northwind.example');
    await user.click(menu.getByRole('menuitem', { name: 'Take back…' }));
    const question = within(screen.getByRole('alertdialog'));
    expect(question.getByText('Then 6 of 8 users.')).toBeVisible();
    expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await user.click(question.getByRole('button', { name: 'Take back' }));
    expect(await screen.findByText(/is not a member any more\.$/, { ignore: 'dialog *' })).toBeVisible();
    expect(changes()).toMatchObject([{ method: 'DELETE' }]);
    await waitFor(() => expect(screen.getByRole('heading', { name: 'List of members' })).toHaveFocus());
  });

  it('asks before a removal, in a dialog that stays open until the outcome is known', async () => {
    const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
    const { openMenu, user, changes } = await opened({ reply: promise });
    const menu = await openMenu('Ben Okafor');
    await user.click(menu.getByRole('menuitem', { name: 'Remove…' }));
    const dialog = screen.getByRole<HTMLDialogElement>('alertdialog');
    const question = within(dialog);
    await user.click(question.getByRole('button', { name: 'Remove' }));
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(dialog.open).toBe(true);
    expect(question.getByText('You can close this dialog after the outcome is known.')).toBeVisible();
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    act(() => dialog.close());
    expect(dialog.open).toBe(true);
    resolve(DONE);
    expect(await screen.findByText(/is not a member any more\.$/, { ignore: 'dialog *' })).toBeVisible();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(changes()).toHaveLength(1);
  });

  it('shows in the dialog why the service refuses to remove the last owner', async () => {
    const { openMenu, user } = await opened({ reply: refused('last-owner') });
    const menu = await openMenu('Ada Jansen');
    await user.click(menu.getByRole('menuitem', { name: 'Leave…' }));
    const question = within(screen.getByRole('alertdialog', { name: `Leave ${isolated('Northwind GmbH')}?` }));
    await user.click(question.getByRole('button', { name: 'Leave' }));
    expect(await question.findByText('This person is the last owner.')).toBeVisible();
    expect(question.getByText('Make another member an owner first.')).toBeVisible();
  });

  it('leads a person who leaves their only organization to its own page at once, although other requests have no answers', async () => {
    let hasLeft = false;
    const { user, sent } = await openOrganization(
      '/members',
      ({ method, url }) => {
        if (method === 'DELETE') {
          hasLeft = true;
          return DONE;
        }
        // While a request has no answer, the browser does not load the account again.
        if (hasLeft || url.endsWith('/changes')) return new Promise(() => undefined);
        return url.endsWith('/standing') ? { status: 200, data: rightsOf.owner } : undefined;
      },
      <>
        <Tools />
        <Routes>
          <Route path="/" element={<Chooser />} />
          <Route path="*" element={null} />
        </Routes>
      </>,
    );
    await user.click(await screen.findByRole('button', { name: 'Change Ada Jansen' }));
    await waitFor(() => expect(sent.some(({ url }) => url.endsWith('/changes'))).toBe(true));
    await user.click(screen.getByRole('menuitem', { name: 'Leave…' }));
    await user.click(screen.getByRole('button', { name: 'Leave' }));
    expect(await screen.findByText("You don't seem to have access to any organization.")).toBeVisible();
  });

  it('shows a refusal in the row of the member', async () => {
    const { openMenu, user } = await opened({ reply: refused('last-owner') });
    const menu = await openMenu('Ben Okafor');
    await user.click(menu.getByRole('menuitemradio', { name: 'Member' }));
    expect(await rowOf('Ben Okafor').findByText('This person is the last owner.')).toBeVisible();
  });

  it("asks before it changes the signed-in person's own role", async () => {
    const { openMenu, user, changes } = await opened();
    for (const button of ['Cancel', 'Change my role']) {
      const menu = await openMenu('Ada Jansen');
      await user.click(menu.getByRole('menuitemradio', { name: 'Member' }));
      const question = within(screen.getByRole('alertdialog', { name: 'Change your own role to Member?' }));
      expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
      expect(changes()).toEqual([]);
      await user.click(question.getByRole('button', { name: button }));
      await waitFor(() => expect(screen.getByRole('button', { name: 'Change Ada Jansen' })).toHaveFocus());
    }
    expect(await screen.findByText(`${isolated('Ada Jansen')} has the role Member now.`)).toBeVisible();
    expect(changes()).toMatchObject([{ method: 'PATCH', body: { role: 'member' } }]);
  });

  it('does not contain the role Owner if the signed-in person is an administrator', async () => {
    const { openMenu } = await opened({ rights: rightsOf.admin });
    expect((await openMenu('Ben Okafor')).queryByRole('menuitemradio', { name: 'Owner' })).toBeNull();
  });

  it('contains only the choice “Pulse user” and a link, for a member with a role that the signed-in person may not give', async () => {
    const { openMenu } = await opened({ rights: rightsOf.admin });
    const menu = await openMenu('Ada Jansen');
    expect(menu.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['History of this member']);
    expect(menu.queryAllByRole('menuitemradio')).toEqual([]);
    expect(menu.getByRole('menuitemcheckbox')).toBeVisible();
  });

  it('contains a link to the history of the member', async () => {
    const { openMenu } = await opened();
    expect((await openMenu('Ben Okafor')).getByRole('menuitem', { name: 'History of this member' })).toHaveAttribute(
      'href',
      `/org/${NORTHWIND}/history?about=/members/${BEN}`,
    );
  });

  it('contains no link to the history if the signed-in person may not read the history', async () => {
    const { openMenu } = await opened({ rights: { ...rightsOf.owner, reads: ['document'] } });
    const menu = await openMenu('Ben Okafor');
    expect(menu.getAllByRole('menuitem')).not.toHaveLength(0);
    expect(menu.queryByRole('menuitem', { name: 'History of this member' })).toBeNull();
  });
});

describe('The controls of members', () => {
  it.each([
    ['a person without a right', { rights: { ...rightsOf.owner, may: [], grants: [] } }],
    ['a page of the past', { path: '/members?asOf=1191' }],
  ])('are absent for %s', async (_, wish) => {
    await opened(wish);
    expect(screen.queryByRole('button', { name: /^Invite|^Change/ })).toBeNull();
  });
});

const withUsers = (users: object) => {
  const { limits } = sampleEntitlements;
  return { ...sampleEntitlements, limits: { ...limits, users: { ...limits.users, ...users } } };
};
