import { randomBytes } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { NORTHWIND, rightsOf } from '../../../../test/journeys/pages/samples';
import { ADA, BEN, SHOP } from '../../../../test/journeys/pages/samples/lists';
import { assignSolo, committed, notAsShown, soloPreview } from '../../../../test/journeys/pages/samples/previews';
import { draftAddress, type DraftCommand } from '../draft/address/draft-address';
import { draftIn } from '../draft/address/draft-fragment';
import { readDraft } from '../draft/address/read-draft';
import { announcements } from '../announcements.testing';
import type { ConsoleReply, SentRequest } from '../open.testing';
import { openOrganization } from '../organization/open-organization.testing';

type Opening = Readonly<{
  rights?: object;
  draft?: readonly DraftCommand[];
  query?: string;
  commits?: readonly (ConsoleReply | Promise<ConsoleReply>)[];
}>;

/**
 * Opens a page as a person with these rights. If there are commands, the address contains a draft with these commands.
 * The requests that execute commands get the answers `commits` in order; all later requests are executed.
 */
async function opened(
  path: string,
  { rights = rightsOf.operator, draft = [], query = '', commits = [] }: Opening = {},
) {
  const replies = [...commits];
  const hash = draft.length === 0 ? '' : new URL(await draftAddress(NORTHWIND, draft), 'http://pages').hash;
  const answer = ({ url, key }: SentRequest) => {
    if (url.endsWith('/standing')) return { status: 200, data: rights };
    if (url.endsWith('/preview')) return { status: 200, data: soloPreview };
    return key !== undefined ? (replies.shift() ?? { status: 200, data: committed }) : undefined;
  };
  const page = await openOrganization(`${path}${query}${hash}`, answer);
  const fragment = () => new URL(page.address(), 'http://pages').hash;
  /** The commands in the address; undefined without a draft. */
  const commands = async () => {
    const reading = await readDraft(draftIn(fragment()) ?? '');
    return 'commands' in reading ? reading.commands : draftIn(fragment()) === undefined ? undefined : [];
  };
  const executed = () => page.sent.filter(({ key, url }) => key !== undefined && !url.endsWith('/preview'));
  return { ...page, commands, executed };
}
type Opened = Awaited<ReturnType<typeof opened>>;

const panel = () => screen.findByRole('complementary', { name: 'Draft' });
const lines = async () => within(await panel()).findAllByRole('listitem');
const startButton = () => screen.findByRole('button', { name: 'Start a draft' });
const openTab = async ({ user }: Opened, name: string) =>
  user.click(within(screen.getByRole('navigation', { name: 'Pages of the organization' })).getByText(name));
const choosesRole = async ({ user }: Opened) => {
  await user.click(await screen.findByRole('button', { name: 'Change Ben Okafor' }));
  await user.click(screen.getByRole('menuitemradio', { name: 'Owner' }));
};
const owner: DraftCommand = { type: 'ChangeRole', data: { member: BEN, role: 'owner' } };
const twenty = (): readonly DraftCommand[] =>
  Array.from({ length: 20 }, (_, index) => ({ type: 'RenameOrganization', data: { name: `Name ${index}` } }));

describe('A draft beside the pages', () => {
  it('begins with the key e; the controls of the page then add commands to the draft instead of sending them to the service', async () => {
    const page = await opened('/members');
    await startButton();
    await page.user.keyboard('e');
    expect(within(await panel()).getByText(/^The draft is open\. The controls of these pages/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Start a draft' })).toBeNull();
    await choosesRole(page);
    await waitFor(async () => expect(await page.commands()).toEqual([owner]));
    expect((await lines())[0]).toHaveTextContent(/^Change the role of .* to Owner/);
    expect(page.executed()).toEqual([]);
    expect(screen.getByRole('button', { name: 'Change Ben Okafor' })).toHaveFocus();
  });

  it('shows what all its lines together would change, and announces this change once', async () => {
    const announced = announcements();
    const { user } = await opened('/members', { draft: [assignSolo] });
    const beside = within(await panel());
    expect(await beside.findByText(/^1 feature lost, 1 limit changes, no feature gained\./)).toBeVisible();
    await user.click(beside.getByText('Effect of the draft'));
    expect(beside.getByText('Matomo integration')).toBeVisible();
    expect(beside.getByText('1 of 20 commands')).toBeVisible();
    expect(announced).toEqual([expect.stringMatching(/^1 feature lost, 1 limit changes, no feature gained\./)]);
  });

  it('stays in the address on the other pages of the organization, and also gets the commands of these pages', async () => {
    const page = await opened('/members', { draft: [owner] });
    await panel();
    await openTab(page, 'Settings');
    await waitFor(() => expect(page.address()).toMatch(/^\/settings#draft=/));
    await page.user.selectOptions(await screen.findByLabelText('New value of Pulse'), 'Off');
    await page.user.click(screen.getByRole('button', { name: 'Add to the draft Pulse' }));
    await waitFor(async () => expect(await page.commands()).toEqual([owner, { type: 'DisableProduct', data: {} }]));
    expect(screen.getByLabelText('New value of Pulse')).toHaveValue('on');
    await page.back();
    await waitFor(async () => expect(await page.commands()).toEqual([owner]));
  });

  it('can begin with one command for each member that a person has chosen with the space bar', async () => {
    const page = await opened('/members');
    for (const member of ['Ada Jansen', 'Ben Okafor']) {
      (await screen.findByRole('link', { name: member })).focus();
      await page.user.keyboard(' ');
      expect(screen.getByRole('checkbox', { name: new RegExp(`^Choose .*${member}`) })).toBeChecked();
    }
    await page.user.selectOptions(screen.getByLabelText('2 members chosen'), 'Change the role to Admin');
    await page.user.click(screen.getByRole('button', { name: 'Start a draft with this change' }));
    await waitFor(async () =>
      expect(await page.commands()).toEqual([
        { type: 'ChangeRole', data: { member: ADA, role: 'admin' } },
        { type: 'ChangeRole', data: { member: BEN, role: 'admin' } },
      ]),
    );
    expect(page.executed()).toEqual([]);
    expect(screen.queryByText('2 members chosen')).toBeNull();
    expect(screen.getByRole('heading', { name: 'List of members' })).toHaveFocus();
    expect(screen.queryAllByRole('checkbox', { checked: true })).toEqual([]);
  });

  it('offers no checkbox beside a member to a person who may change no member', async () => {
    await opened('/members', { rights: { ...rightsOf.admin, may: [], grants: [] } });
    expect(await screen.findByRole('link', { name: 'Ben Okafor' })).toBeVisible();
    expect(screen.queryAllByRole('checkbox')).toEqual([]);
  });

  it('is opened on the draft page by the link in the panel, and by the key e', async () => {
    const page = await opened('/members', { draft: [owner] });
    const href = within(await panel())
      .getByRole('link', { name: 'Open the draft' })
      .getAttribute('href');
    await page.user.keyboard('e');
    await screen.findByRole('button', { name: /^Commit exactly this to/ });
    expect(`/org/${NORTHWIND}${page.address()}`).toBe(href);
    expect(screen.queryByRole('complementary', { name: 'Draft' })).toBeNull();
  });

  it('is not in the address of the next page after its commit', async () => {
    const page = await opened('/draft', { draft: [assignSolo] });
    await page.user.click(await screen.findByRole('button', { name: /^Commit exactly this to/ }));
    await screen.findByText('1 event, #1,284');
    await openTab(page, 'Members');
    await startButton();
    expect(page.address()).toBe('/members');
  });

  it('opens even if it has the same commands as a committed draft', async () => {
    const page = await opened('/draft', { draft: [owner] });
    await page.user.click(await screen.findByRole('button', { name: /^Commit exactly this to/ }));
    await screen.findByText('1 event, #1,284');
    await openTab(page, 'Members');
    await page.user.click(await startButton());
    await choosesRole(page);
    expect(await lines()).toHaveLength(1);
    await choosesRole(page);
    await waitFor(async () => expect(await page.commands()).toEqual([owner, owner]));
  });

  it('keeps its first line if it has the same commands as a draft whose late outcome the page still shows', async () => {
    const page = await opened('/draft', { draft: [owner], commits: [{ status: 502 }] });
    await page.user.click(await screen.findByRole('button', { name: /^Commit exactly this to/ }));
    await openTab(page, 'Members');
    await screen.findByText(/^The change that you began before is executed/);
    await page.user.click(await startButton());
    await choosesRole(page);
    expect(await lines()).toHaveLength(1);
    await choosesRole(page);
    await waitFor(async () => expect(await page.commands()).toEqual([owner, owner]));
  });

  it("ends when the person presses Stop; the browser's Back opens it again", async () => {
    const page = await opened('/members', { draft: [owner] });
    await page.user.click(within(await panel()).getByRole('button', { name: 'Stop' }));
    await startButton();
    expect(page.address()).toBe('/members');
    await page.back();
    await waitFor(async () => expect(await page.commands()).toEqual([owner]));
  });

  it('moves the focus to the heading of the page when it begins or ends, because the pressed button disappears', async () => {
    const page = await opened('/members');
    await page.user.click(await startButton());
    const stop = within(await panel()).getByRole('button', { name: 'Stop' });
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    await page.user.click(stop);
    await startButton();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });

  it('scrolls the page to the focused control when it gets a line, because its panel may cover the control', async () => {
    const page = await opened('/members');
    await page.user.click(await startButton());
    await panel();
    const scrolled = jest.spyOn(Element.prototype, 'scrollIntoView');
    await choosesRole(page);
    await lines();
    expect(scrolled.mock.contexts.at(-1)).toBe(screen.getByRole('button', { name: 'Change Ben Okafor' }));
    scrolled.mockRestore();
  });

  it('stays in the address while a person types a search text for a list', async () => {
    const page = await opened('/members', { draft: [owner] });
    await panel();
    await page.user.type(await screen.findByRole('searchbox'), 'ben');
    expect(await page.commands()).toEqual([owner]);
    expect(screen.getByRole('searchbox')).toHaveValue('ben');
    await page.user.clear(screen.getByRole('searchbox'));
    expect(page.address()).not.toContain('q=');
  });

  it('stays open after its last line is taken out, so that it gets the next change', async () => {
    const page = await opened('/members', { draft: [owner] });
    await page.user.click(within(await panel()).getByRole('button', { name: 'Take out line 1' }));
    await waitFor(() => expect(page.address()).toBe('/members#draft='));
    await choosesRole(page);
    await waitFor(async () => expect(await page.commands()).toEqual([owner]));
  });

  it.each([
    ['a person without a right', '', { ...rightsOf.owner, may: [] }],
    ['a page of the past', '?asOf=1191', rightsOf.operator],
  ])('cannot be started for %s', async (_, query, rights) => {
    const page = await opened('/members', { rights, query });
    await screen.findByRole('link', { name: 'Ada Jansen' });
    await page.user.keyboard('e');
    expect(screen.queryByRole('button', { name: 'Start a draft' })).toBeNull();
    expect(page.address()).not.toContain('draft');
  });
});

describe('A draft whose commit has no known outcome yet', () => {
  const commits = async (page: Opened) => {
    await page.user.click(await screen.findByRole('button', { name: /^Commit exactly this to/ }));
    await screen.findByText('We do not know whether it happened.');
  };
  /** Commits the draft of a page, and returns to the page with Back. The page then repeats the request. */
  async function returned() {
    const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
    const page = await opened('/members', { draft: [assignSolo], commits: [{ status: 502 }, promise] });
    await page.user.click(within(await panel()).getByRole('link', { name: 'Open the draft' }));
    await commits(page);
    await page.back();
    await waitFor(() => expect(page.executed()).toHaveLength(2));
    expect(screen.queryByRole('complementary', { name: 'Draft' })).toBeNull();
    return { ...page, resolve };
  }

  it('opens again beside the page when the service refuses the commit, and gets the next command', async () => {
    const page = await returned();
    page.resolve({ status: 409, data: notAsShown });
    expect(await lines()).toHaveLength(1);
    await choosesRole(page);
    await waitFor(async () => expect(await page.commands()).toEqual([assignSolo, owner]));
  });

  it('gets no further command after its commit: the next command begins another draft', async () => {
    const page = await returned();
    page.resolve({ status: 200, data: committed });
    await screen.findByText(/^The change that you began before is executed: /);
    await choosesRole(page);
    await waitFor(async () => expect(await page.commands()).toEqual([owner]));
    expect(page.executed()).toHaveLength(2);
  });

  it('is in the address of the next page if the service refuses the commit after a reload', async () => {
    const first = await opened('/draft', { draft: [assignSolo], commits: [{ status: 502 }] });
    await commits(first);
    first.unmount();
    const page = await opened('/draft', { draft: [assignSolo], commits: [{ status: 409, data: notAsShown }] });
    await screen.findByRole('button', { name: /^Commit the new effect/ });
    await openTab(page, 'Members');
    expect(await lines()).toHaveLength(1);
    expect(page.address()).toMatch(/^\/members#draft=./);
  });
});

describe('An undo while a draft is open', () => {
  const undoLink = () => screen.findByRole('link', { name: 'Undo…' });
  const question = () => within(screen.getByRole('alertdialog', { name: 'Replace the open draft?' }));

  it('asks before it replaces the open draft with its own draft; Back opens the earlier draft again', async () => {
    const page = await opened('/history/1191', { draft: [owner] });
    await page.user.click(await undoLink());
    expect(await screen.findByRole('alertdialog')).toHaveTextContent(
      /The draft of an undo takes the place of the open/,
    );
    expect(question().getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await page.user.click(question().getByRole('button', { name: 'Open the undo' }));
    expect(page.address()).toBe('/draft?undo=1191');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await page.back();
    expect(await page.commands()).toEqual([owner]);
  });

  it('changes nothing after Cancel', async () => {
    const page = await opened('/history/1191', { draft: [owner] });
    await undoLink();
    await page.user.keyboard('u');
    await screen.findByRole('alertdialog');
    await page.user.click(question().getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(page.address()).toMatch(/^\/history\/1191#draft=/);
    expect(await undoLink()).toHaveFocus();
  });

  it('asks nothing if the draft has no command yet', async () => {
    const page = await opened('/history/1191');
    await startButton();
    await page.user.keyboard('e');
    await page.user.click(await undoLink());
    expect(page.address()).toBe('/draft?undo=1191');
  });

  it('asks nothing after the commit of the draft', async () => {
    const page = await opened('/draft', { draft: [assignSolo] });
    await page.user.click(await screen.findByRole('button', { name: /^Commit exactly this to/ }));
    await page.user.click(await undoLink());
    expect(page.address()).toBe('/draft?undo=1284');
  });
});

describe('A tried plan while a draft is open', () => {
  it('leaves the draft open, and has a button that adds the command for the tried plan to the draft', async () => {
    const page = await opened('/plan', { draft: [owner] });
    await page.user.click(await screen.findByRole('link', { name: "Preview today's terms of Pulse Teams" }));
    expect(page.address()).toMatch(/^\/plan\?try=second%2Fteams#draft=/);
    await page.user.click(await screen.findByRole('button', { name: 'Add to the draft' }));
    const assignment = { type: 'AssignPlan', data: { line: 'second', plan: 'teams', terms: 'today' } };
    await waitFor(async () => expect(await page.commands()).toEqual([owner, assignment]));
  });
});

describe('A control while a draft is open', () => {
  const press = (name: string | RegExp) => async (page: Opened) =>
    page.user.click(await screen.findByRole('button', { name }));
  const inMenu = (role: string, name: string) => async (page: Opened) => {
    await press('Change Ben Okafor')(page);
    await page.user.click(screen.getByRole(role, { name }));
  };
  const types = (label: string, text: string) => async (page: Opened) => {
    const field = await screen.findByLabelText(label);
    await page.user.clear(field);
    await page.user.type(field, text);
  };
  const chooses = (label: string, value: string) => async (page: Opened) =>
    page.user.selectOptions(await screen.findByLabelText(label), value);
  const picks = (group: string, value: string) => async (page: Opened) =>
    page.user.click(within(await screen.findByRole('group', { name: group })).getByRole('radio', { name: value }));
  const addAll = press(/^Add to the draft/);
  const besideOf =
    (label: string) =>
    async ({ user }: Opened) => {
      const form = screen.getByLabelText(label).closest('form')!;
      await user.click(within(form).getByRole('button', { name: /^Add to the draft/ }));
    };
  const acts =
    (...steps: readonly ((page: Opened) => Promise<unknown>)[]) =>
    async (page: Opened) => {
      for (const step of steps) await step(page);
    };

  it.each([
    ['/members', 'the product flag', inMenu('menuitemcheckbox', 'Pulse user'), 'FlagProductUser', { member: BEN }],
    ['/members', 'a removal', inMenu('menuitem', 'Remove'), 'RemoveMember', { member: BEN }],
    [
      '/sites',
      'a new site',
      acts(press('Add a site…'), types('Hostname', 'a.example'), addAll),
      'AddSite',
      { hostname: 'a.example' },
    ],
    ['/sites', 'the removal of a site', press('Remove münchen.example'), 'RemoveSite', { site: expect.any(String) }],
    [
      `/sites/${SHOP}`,
      'a name',
      acts(types('Name of the site', 'New'), besideOf('Name of the site')),
      'RenameSite',
      { site: SHOP, name: 'New' },
    ],
    [
      `/sites/${SHOP}`,
      'a switch',
      acts(picks('Logo', 'As the plan says'), async ({ user }) => {
        await user.click(screen.getAllByRole('button', { name: 'Add to the draft' }).at(-1)!);
      }),
      'ChangeSiteFeatures',
      { site: SHOP, features: { logo: null } },
    ],
    [
      '/domains',
      'a new domain',
      acts(
        async ({ user }) => user.click((await screen.findAllByRole('button', { name: 'Add a domain…' }))[1]!),
        types('Hostname', 'b.example'),
        addAll,
      ),
      'AddWebAnalyticsDomain',
      { hostname: 'b.example' },
    ],
    [
      '/domains',
      'the removal of a domain',
      press('Remove blog.northwind.example'),
      'RemoveWebAnalyticsDomain',
      { domain: 'd2' },
    ],
    [
      '/settings',
      'a name',
      acts(types('New name', 'Southwind'), besideOf('New name')),
      'RenameOrganization',
      { name: 'Southwind' },
    ],
    [
      '/settings',
      'parallel use',
      acts(chooses('New value of Parallel use', 'no'), press('Add to the draft Parallel use')),
      'ChangeParallelUse',
      { parallelUse: false },
    ],
    [
      '/settings',
      'a closing',
      acts(press('Close the organization…'), types('Reason', 'Contract ended'), async ({ user }) =>
        user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add to the draft' })),
      ),
      'CloseOrganization',
      { reason: 'Contract ended' },
    ],
    [
      '/plan',
      'a tried plan',
      acts(chooses('Second line', 'solo'), press('Add to the draft')),
      'AssignPlan',
      { line: 'second', plan: 'solo' },
    ],
  ])('on %s adds %s, and sends nothing', async (path, _, act, type, data) => {
    const page = await opened(path, { draft: [owner] });
    await panel();
    await act(page);
    await waitFor(async () => expect(await page.commands()).toEqual([owner, { type, data }]));
    expect(page.executed()).toEqual([]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(page.address()).not.toContain('try=');
  });

  it('says that the draft is full if the draft already has 20 commands, and adds nothing', async () => {
    const page = await opened('/members', { draft: twenty() });
    await panel();
    await choosesRole(page);
    expect(await screen.findByText(/^A draft has at most 20 commands\. Commit this draft first/)).toBeVisible();
    expect(await page.commands()).toHaveLength(20);
  });

  it('adds nothing if the draft would be too long for an address, and says why', async () => {
    const name = randomBytes(11_880).toString('base64');
    const page = await opened('/settings', { draft: [{ type: 'RenameOrganization', data: { name } }] });
    await panel();
    const field = await screen.findByLabelText('New name');
    await page.user.clear(field);
    await page.user.click(field);
    await page.user.paste(randomBytes(120).toString('base64'));
    await besideOf('New name')(page);
    expect(await screen.findByText(/^With this change, the draft is too long for an address/)).toBeVisible();
    expect(await page.commands()).toHaveLength(1);
  });

  it('adds nothing if the typed name contains an e-mail address, and says why', async () => {
    const page = await opened('/settings', { draft: [owner] });
    await panel();
    await acts(types('New name', 'Ask ada@northwind.example'), besideOf('New name'))(page);
    expect(await screen.findByText(/^The draft is a part of the address, so it must not contain/)).toBeVisible();
    expect(screen.getByLabelText('New name')).toHaveValue('Ask ada@northwind.example');
    expect(await page.commands()).toEqual([owner]);
  });

  it('that invites a person sends the invitation at once, and says why', async () => {
    const page = await opened('/members', { draft: [owner] });
    expect(await screen.findByText(/^An invitation is sent at once, because a draft must not contain/)).toBeVisible();
    await press('Invite…')(page);
    await types('E-mail address', 'erik@northwind.example')(page);
    await press('Send the invitation')(page);
    await waitFor(() => expect(page.executed()).toMatchObject([{ method: 'POST', body: { role: 'member' } }]));
    expect(await page.commands()).toEqual([owner]);
  });
});
