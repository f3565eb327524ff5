import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { commands as everyCommand } from '../../../../libs/organization/src/testing/every-command.testing';
import {
  addErik,
  assignSolo,
  committed,
  fullPreview,
  laterPreview,
  notAsShown,
  ownersPreview,
  pastPreview,
  planAssigned,
  previewWithTerms,
  refusedPreview,
  removalPreview,
  removeLastOwner,
  soloPreview,
} from '../../../../test/journeys/pages/samples/previews';
import { NORTHWIND, rightsOf } from '../../../../test/journeys/pages/samples';
import { announcements } from '../announcements.testing';
import type { ConsoleReply, SentRequest } from '../open.testing';
import { openOrganization } from '../organization/open-organization.testing';
import { draftAddress, type DraftCommand } from './address/draft-address';

type Reply = ConsoleReply | Promise<ConsoleReply>;
type Replies = Readonly<{ previews?: readonly Reply[]; commits?: readonly Reply[]; rights?: object }>;

const ok = (data: object): ConsoleReply => ({ status: 200, data });

/**
 * Opens a draft. The requests for previews get the answers `previews` in order, and the commits get the answers
 * `commits`. The last answer is repeated. `rights` replaces the rights of the sample person, who is an owner.
 */
async function openDraft(
  commands: readonly DraftCommand[],
  { previews = [ok(soloPreview)], commits = [ok(committed)], rights }: Replies = {},
  query = '',
) {
  const address = new URL(await draftAddress(NORTHWIND, commands), 'http://pages');
  const next = new Map<string, Reply[]>([
    ['/preview', [...previews]],
    ['/commands', [...commits]],
    ...(rights ? [['/standing', [ok(rights)]] as [string, Reply[]]] : []),
  ]);
  const answer = ({ url }: SentRequest) => {
    const [, replies] = [...next].find(([end]) => url.endsWith(end)) ?? [];
    return replies && (replies.length > 1 ? replies.shift() : replies[0]);
  };
  const page = await openOrganization(`/draft${query}${address.hash}`, answer);
  const sentTo = (end: string) => page.sent.filter(({ url }) => url.endsWith(end));
  return { ...page, sentTo };
}
const commitButton = () => screen.findByRole('button', { name: 'Commit exactly this to \u2068Northwind GmbH\u2069' });
const isolated = (name: string) => `\u2068${name}\u2069`;
const openMembers = (user: Awaited<ReturnType<typeof openDraft>>['user']) =>
  user.click(
    within(screen.getByRole('navigation', { name: 'Pages of the organization' })).getByRole('link', {
      name: 'Members',
    }),
  );
const lines = () => within(screen.getByRole('region', { name: /command/ })).getAllByRole('listitem');

describe('The draft page', () => {
  beforeEach(() => sessionStorage.clear());

  it('shows the revision of the preview, and the time at which the answer of the service arrived', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-24T14:02:07.000Z'));
    try {
      await openDraft([assignSolo]);
      expect(await screen.findByText(/^At revision #1,283 · \d+:02:07/)).toBeVisible();
    } finally {
      now.mockRestore();
    }
  });

  it('shows the lost features first, then the changed limits with excess entries, the gained features, the page views, and other changes', async () => {
    await openDraft([assignSolo]);
    const preview = within(await screen.findByRole('region', { name: 'Preview' }));
    expect(await preview.findByText('Matomo integration')).toBeVisible();
    expect(preview.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'You would lose (1)',
      'Limits that change (1)',
      'You would gain (0)',
      'Page views a month',
      'Other changes (1)',
    ]);
    expect(preview.getByText(/8 → 2/)).toBeVisible();
    expect(preview.getByText(/^7 are here: over by 5\. All of them stay/)).toBeVisible();
    expect(preview.getByText(/^Over by 712,400 in this month/)).toBeVisible();
    expect(preview.getByText('1 event would be recorded')).toBeVisible();
    expect(
      screen.getByText(
        /^1 feature lost, 1 limit changes, no feature gained\. 2 limits would be exceeded\. 1 other change\./,
      ),
    ).toHaveAttribute('role', 'status');
  });

  it.each([
    ['a person without a role in it', rightsOf.operator, 'The organization would'],
    ['an operator who is also its member', { ...rightsOf.operator, roles: ['operator', 'member'] }, 'You would'],
  ])('says who would lose and gain, for %s', async (_who, rights, subject) => {
    await openDraft([assignSolo], { rights });
    const preview = within(await screen.findByRole('region', { name: 'Preview' }));
    expect(await preview.findByRole('heading', { level: 3, name: `${subject} lose (1)` })).toBeVisible();
    expect(preview.getByRole('heading', { level: 3, name: `${subject} gain (0)` })).toBeVisible();
  });

  it('shows removed entries as losses, the use of a limit before and after the commands, and each other changed value', async () => {
    await openDraft([removeLastOwner], { previews: [ok(removalPreview)] });
    const lost = within(await screen.findByRole('group', { name: 'You would lose (2)' }));
    await waitFor(() =>
      expect(lost.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
        '– Add-on User: removed',
        `– ${isolated('Ben Okafor')}: removed`,
      ]),
    );
    expect(screen.getByText('7 → 6 are here.')).toBeVisible();
    const others = within(screen.getByRole('group', { name: 'Other changes (6)' }));
    expect(others.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Plan, second line Pulse Teams → Pulse Solo',
      'Add-on User 3 → 2',
      `${isolated('Ada Jansen')}: role Owner → Admin`,
      `${isolated('Ada Jansen')}: product user on → off`,
      'Product on → off',
      'Parallel use none → on',
    ]);
    expect(screen.getByText(/2 entries removed\. 6 other changes\.$/)).toHaveAttribute('role', 'status');
  });

  it('names the recorded events that cause the present limit, and the lines of the draft that cause the new limit', async () => {
    const { user } = await openDraft([assignSolo]);
    const limits = within(await screen.findByRole('group', { name: 'Limits that change (1)' }));
    await user.click(limits.getByText('Why'));
    const steps = limits.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(steps).toEqual(expect.arrayContaining([expect.stringMatching(/^5 from Pulse Teams.*#1,101/)]));
    expect(steps).toEqual(expect.arrayContaining([expect.stringMatching(/^1 from Pulse Solo.*line 1 of this draft/)]));
  });

  it('shows each command of a known type in words', async () => {
    const texts = new Set<string>();
    const known = everyCommand.filter(
      ({ type }) => !/^(FoundOrganization|LinkBillingAccount|.+SingleSignOn|.+EmailDomain(Settings)?)$/.test(type),
    ) as readonly DraftCommand[];
    for (const part of [known.slice(0, 20), known.slice(20)]) {
      const { unmount } = await openDraft(part);
      await screen.findByRole('region', { name: /commands$/ });
      for (const line of lines()) texts.add(line.querySelector('span')!.firstChild!.textContent!);
      unmount();
    }
    expect(texts.size).toBe(known.length);
    expect([...texts].filter((text) => /^[A-Z]\w+[A-Z]\w+$/.test(text) || /undefined|NaN|[{}]/.test(text))).toEqual([]);
  });

  it('says in the line of a command that the person whom the command names was erased', async () => {
    const gone = '00000000-0000-4000-8000-00000000dead';
    const change: DraftCommand = { type: 'ChangeRole', data: { member: gone, role: 'admin' } };
    const address = new URL(await draftAddress(NORTHWIND, [change]), 'http://pages');
    const refused = { index: 0, problem: { type: '/problems/no-such-member', title: '', status: 409, index: 0 } };
    await openOrganization(`/draft${address.hash}`, ({ url }) => {
      if (url.endsWith('/preview')) return ok({ ...pastPreview, events: [], refused });
      return url.endsWith('/names') ? ok({ names: { [gone]: { as: 'member', name: null, erased: true } } }) : undefined;
    });
    await waitFor(() => expect(lines()[0]).toHaveTextContent(/^Change the role of Erased person to Admin/));
    await waitFor(() => expect(lines()[0]).toHaveTextContent('This person is not a member.'));
  });

  it("shows only the type of a command if the page does not know this type or cannot read the command's data", async () => {
    const { container } = await openDraft([
      { type: 'PaintLogo', data: {} },
      { type: 'RenameOrganization', data: {} },
    ]);
    await screen.findByRole('region', { name: '2 commands' });
    expect(lines().map((line) => line.querySelector('span')!.textContent)).toEqual([
      'PaintLogo PaintLogo',
      'RenameOrganization RenameOrganization',
    ]);
    expect(container.querySelector('main script')).toBeNull();
  });

  it("moves and takes out lines; each such change opens a new address, so the browser's Back undoes the change", async () => {
    const { user, back } = await openDraft([assignSolo, removeLastOwner]);
    await user.click(await screen.findByRole('button', { name: 'Move line 2 up' }));
    await waitFor(() => expect(lines()[0]).toHaveTextContent('RemoveMember'));
    await user.click(screen.getByRole('button', { name: 'Take out line 1' }));
    await screen.findByRole('region', { name: 'One command' });
    await back();
    await screen.findByRole('region', { name: '2 commands' });
  });

  it('shows at a refused line why the service refuses the command and what would help, and has no button to commit', async () => {
    await openDraft([assignSolo, removeLastOwner], { previews: [ok(refusedPreview)] });
    expect(await screen.findByText('Make another member an owner first.')).toBeVisible();
    expect(screen.getByText('This person is the last owner.')).toBeVisible();
    expect(lines()[1]).toHaveTextContent('refused');
    expect(screen.queryByRole('button', { name: /^Commit/ })).toBeNull();
  });

  it('explains at a refused line how the limit is computed, and can add the command that would help before this line', async () => {
    const { user, sentTo } = await openDraft([assignSolo, addErik], { previews: [ok(fullPreview), ok(soloPreview)] });
    expect(await screen.findByText('Users: 8 of 8 are taken.')).toBeVisible();
    await user.click(screen.getByText('5 from Pulse Teams + 3 from User = 8; hard limit 10; so 8'));
    expect(within(lines()[1]!).getByText('5 from Pulse Teams')).toBeVisible();
    expect(screen.queryByRole('link', { name: /^Try/ })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Insert before this line: Buy User × 1' }));
    await waitFor(() => expect(sentTo('/preview')).toHaveLength(2));
    const purchase = { type: 'PurchaseAddOn', data: { addOn: 'additionalUser', quantity: 1 } };
    expect(sentTo('/preview')[1]!.body).toEqual({ commands: [assignSolo, purchase, addErik] });
    expect(screen.getByRole('button', { name: 'Take out line 2' })).toHaveFocus();
    expect(screen.queryByRole('button', { name: /^Insert/ })).toBeNull();
  });

  it('can insert before the refused line the plan, add-on or service level that would turn on the missing feature', async () => {
    const webAnalytics = 'webAnalytics';
    const problem = {
      ...{ type: '/problems/feature-off', feature: webAnalytics },
      because: [{ kind: 'not-in-plan', what: 'second/teams', event: 1101, at: '2025-02-03T09:00:00.000Z' }],
      today: [
        { kind: 'plan', what: 'second/teams' },
        { kind: 'plan', what: 'first/enterprise' },
        { kind: 'add-on', what: webAnalytics },
        { kind: 'service-level', what: 'assisted' },
      ],
    };
    const domain = { type: 'AddWebAnalyticsDomain', data: { hostname: 'a.example' } };
    const refused = { ...soloPreview, refused: { index: 0, problem } };
    const { user, sentTo } = await openDraft([domain], { previews: [ok(refused), ok(soloPreview)] });
    const buttons = await screen.findAllByRole('button', { name: /^Insert before this line:/ });
    expect(buttons.map(({ textContent }) => textContent)).toEqual([
      'Insert before this line: Assign Enterprise',
      'Insert before this line: Buy Web analytics × 1',
      'Insert before this line: Set the service level Assisted',
    ]);
    await user.click(buttons[0]!);
    await waitFor(() => expect(sentTo('/preview')).toHaveLength(2));
    const plan = { type: 'AssignPlan', data: { line: 'first', plan: 'enterprise' } };
    expect(sentTo('/preview')[1]!.body).toEqual({ commands: [plan, domain] });
  });

  it('says which role may commit, and offers a link instead of the button to commit', async () => {
    await openDraft([assignSolo], { previews: [ok(ownersPreview)] });
    expect(await screen.findByText('You may do 0 of 1.')).toBeVisible();
    expect(screen.getByText('Line 1 needs this role: Operator.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Copy link for: Operator' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Commit/ })).toBeNull();
  });

  it('shows a preview for a past moment without a button to commit', async () => {
    const { sentTo } = await openDraft([assignSolo], { previews: [ok(pastPreview)] }, '?asOf=1191');
    expect(await screen.findByText('This page shows the past, where nothing can be committed.')).toBeVisible();
    expect(sentTo('/preview')[0]!.params).toEqual({ lenient: 'true', asOf: '1191' });
  });

  it('shows the old preview until the new one arrives, and announces each preview once', async () => {
    const announced = announcements();
    const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
    const { user } = await openDraft([assignSolo, removeLastOwner], { previews: [ok(refusedPreview), promise] });
    await screen.findByText('Matomo integration');
    await user.click(screen.getByRole('button', { name: 'Take out line 2' }));
    await screen.findByRole('region', { name: 'One command' });
    expect(screen.getByRole('region', { name: 'Preview' })).toHaveAttribute('aria-busy', 'true');
    expect(screen.getByText('Matomo integration')).toBeVisible();
    resolve(ok(soloPreview));
    await commitButton();
    expect(screen.getByRole('region', { name: 'Preview' })).toHaveAttribute('aria-busy', 'false');
    expect(announced).toEqual([
      expect.stringMatching(/^One line is refused\. 1 feature lost, /),
      expect.stringMatching(/^1 feature lost, /),
    ]);
  });

  it('says which role the person needs if the person may not see the preview', async () => {
    const { sentTo } = await openDraft([assignSolo], {
      previews: [{ status: 403, data: { type: '/problems/not-allowed', takes: ['admin', 'audit:read'] } }],
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('You may not do this. Required role: Admin.');
    expect(sentTo('/preview')).toHaveLength(1);
  });

  it('says after too many attempts in how many seconds the person can commit again', async () => {
    const tooMany = { status: 429, data: { type: '/problems/too-many-attempts' }, headers: { 'retry-after': '40' } };
    const { user } = await openDraft([assignSolo], { commits: [tooMany] });
    await user.click(await commitButton());
    const [heard, seen] = await screen.findAllByText(/^Too many attempts\. Try again in \d+ seconds\.$/);
    expect(heard!.closest('[role=alert]')).toContainElement(seen!);
  });

  it('shows a link as text if the browser does not copy the link', async () => {
    const { user } = await openDraft([assignSolo]);
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    await user.click(await screen.findByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText(/^The browser did not copy the link/)).toHaveTextContent(window.location.origin);
  });

  it('shows what the service says about a field that it does not understand', async () => {
    const errors = [{ path: 'commands.0.data.plan', message: 'Invalid input' }];
    await openDraft([assignSolo], { previews: [{ status: 400, data: { type: '/problems/malformed', errors } }] });
    expect(await screen.findByText(/The service does not understand this command\. Invalid input/)).toBeVisible();
  });

  it.each([
    ['#draft=%3Cscript%3E', /^The draft in this address cannot be read/],
    ['#q=ben', 'The end of this address contains no draft.'],
    ['', /^This draft has no command yet/],
  ])('says what is wrong with the address %j', async (fragment, sentence) => {
    const { sent } = await openOrganization(`/draft${fragment}`);
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(sent.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('leads to the plans if the draft has no command', async () => {
    const { user, address } = await openOrganization('/draft');
    await user.click(await screen.findByRole('link', { name: 'Look at the plans' }));
    await screen.findByRole('heading', { level: 1, name: 'Plan' });
    expect(address()).toBe('/plan');
  });

  it('has no link to the plans if the fragment of the address is not a draft', async () => {
    await openOrganization('/draft#q=ben');
    await screen.findByText('The end of this address contains no draft.');
    expect(screen.queryByRole('link', { name: 'Look at the plans' })).toBeNull();
  });
});

describe('The focus on the draft page', () => {
  beforeEach(() => sessionStorage.clear());

  it('follows a moved line; after a line is taken out, it goes to the next line or, without one, to the heading', async () => {
    const { user } = await openDraft([assignSolo, removeLastOwner]);
    await user.click(await screen.findByRole('button', { name: 'Move line 2 up' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Move line 1 down' })).toHaveFocus());
    await user.click(screen.getByRole('button', { name: 'Take out line 1' }));
    await waitFor(() => expect(lines()).toHaveLength(1));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Take out line 1' })).toHaveFocus());
    await user.keyboard('{Enter}');
    await screen.findByText(/^This draft has no command yet/);
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });

  it('is on the result after a commit', async () => {
    const { user } = await openDraft([assignSolo]);
    await user.click(await commitButton());
    expect(await screen.findByRole('heading', { name: 'Done' })).toHaveFocus();
  });

  it('is on the heading "The effect is no longer as shown" after a refusal with `not-as-shown`, and the page has only one alert', async () => {
    const { user } = await openDraft([assignSolo], {
      previews: [ok(soloPreview), ok(laterPreview)],
      commits: [{ status: 409, data: notAsShown }],
    });
    await user.click(await commitButton());
    expect(await screen.findByRole('heading', { name: 'The effect is no longer as shown' })).toHaveFocus();
    await screen.findByText('One event was recorded since the preview:');
    expect(screen.getByRole('alert')).toHaveTextContent(/^Nothing was executed\. Compare both previews[^.]*\.$/);
  });

  it('is on the heading of the page after Undo…', async () => {
    const { user } = await openDraft([assignSolo]);
    await user.click(await commitButton());
    await user.click(await screen.findByRole('link', { name: 'Undo…' }));
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  });
});

describe('A commit of a draft', () => {
  beforeEach(() => sessionStorage.clear());

  it('sends the digest, the revision and the `Idempotency-Key` of the preview, and links to the recorded events', async () => {
    const { user, sentTo } = await openDraft([assignSolo]);
    await user.click(await commitButton());
    const link = await screen.findByRole('link', { name: '#1,284' });
    expect(link).toHaveAttribute('href', `/org/${NORTHWIND}/history/1284`);
    expect(screen.getByText('1 event, #1,284')).toBeVisible();
    const [preview, commit] = [sentTo('/preview')[0]!, sentTo('/commands')[0]!];
    expect(commit.body).toEqual({ commands: [assignSolo], shown: soloPreview.shown });
    expect([commit.ifMatch, commit.key]).toEqual(['"1283"', preview.key]);
    expect(commit.key).toMatch(/^[0-9a-f]{32}$/);
    expect(screen.queryByRole('button', { name: /^(Commit|Take out)/ })).toBeNull();
  });

  it('is mentioned with links to its events when the person opens the same draft again', async () => {
    const opened = await openDraft([assignSolo]);
    await opened.user.click(await commitButton());
    await screen.findByText('1 event, #1,284');
    opened.unmount();
    const { sentTo } = await openDraft([assignSolo]);
    await commitButton();
    expect(screen.getByText(/^This tab has already committed this draft: 1 event, #1,284\./)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Look at event #1,284' })).toHaveAttribute(
      'href',
      `/org/${NORTHWIND}/history/1284`,
    );
    expect(sentTo('/commands')).toEqual([]);
  });

  it('is sent only once, although the person presses the button twice; its result is announced once', async () => {
    const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
    const { sentTo } = await openDraft([assignSolo], { commits: [promise] });
    const button = await commitButton();
    const announced = announcements();
    fireEvent.click(button);
    fireEvent.click(button);
    fireEvent.keyDown(document, { key: 'Enter', ctrlKey: true });
    expect(await screen.findByText('Committing…')).toBeVisible();
    resolve(ok(committed));
    await screen.findByText('1 event, #1,284');
    expect(sentTo('/commands')).toHaveLength(1);
    expect(announced).toEqual([
      'Committing…',
      expect.stringMatching(/^1 event, #1,284#1,284 Plan Pulse Solo assigned/),
    ]);
  });

  it('is sent when the person presses Ctrl and Enter', async () => {
    const { sentTo } = await openDraft([assignSolo]);
    await commitButton();
    fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
    await screen.findByText('1 event, #1,284');
    expect(sentTo('/commands')).toHaveLength(1);
  });

  it('is sent when the person presses Ctrl and Enter on a checkbox, which chooses the parts of an undo', async () => {
    const { sentTo, container } = await openDraft([assignSolo]);
    await commitButton();
    const checkbox = document.createElement('input');
    checkbox.type = 'checkbox';
    container.append(checkbox);
    fireEvent.keyDown(checkbox, { key: 'Enter', ctrlKey: true });
    await screen.findByText('1 event, #1,284');
    expect(sentTo('/commands')).toHaveLength(1);
  });

  it.each([
    ['is on a link', '<a href="/elsewhere">Elsewhere</a>'],
    ['is in a field', '<input aria-label="Elsewhere">'],
    ['is in a dialog', '<dialog open><button>Elsewhere</button></dialog>'],
    ['is on the text that opens details', '<details><summary>Elsewhere</summary></details>'],
  ])('is not sent by Ctrl and Enter while the focus %s', async (_, markup) => {
    const { sentTo, container } = await openDraft([assignSolo]);
    await commitButton();
    const other = document.createElement('div');
    container.append(other);
    other.innerHTML = markup;
    const target = other.querySelector('a, input, button, summary')!;
    expect(fireEvent.keyDown(target, { key: 'Enter', ctrlKey: true })).toBe(true);
    expect(screen.queryByText('Committing…')).toBeNull();
    expect(sentTo('/commands')).toEqual([]);
  });

  it('is not sent by Ctrl and Enter if another part of the page has already handled these keys', async () => {
    const { sentTo, container } = await openDraft([assignSolo]);
    await commitButton();
    container.addEventListener('keydown', (event) => event.preventDefault());
    fireEvent.keyDown(container, { key: 'Enter', ctrlKey: true });
    expect(screen.queryByText('Committing…')).toBeNull();
    expect(sentTo('/commands')).toEqual([]);
  });

  it('executes nothing if the effect has changed since the preview; the page shows both previews, and a second press sends a new `Idempotency-Key`', async () => {
    const { user, sentTo } = await openDraft([assignSolo], {
      previews: [ok(soloPreview), ok(laterPreview)],
      commits: [{ status: 409, data: notAsShown }, ok({ revision: 1285, events: [planAssigned] })],
    });
    await user.click(await commitButton());
    expect(await screen.findByText(/^Nothing was executed\. Compare both previews/)).toBeVisible();
    const old = within(screen.getByRole('region', { name: 'As shown before' }));
    expect(old.getByText(/over by 5/)).toBeVisible();
    const now = within(screen.getByRole('region', { name: 'As it would be now' }));
    expect(await now.findByText(/over by 6/)).toBeVisible();
    expect(await screen.findByText('One event was recorded since the preview:')).toBeVisible();
    expect(sentTo('/commands')).toHaveLength(1);
    await user.click(await screen.findByRole('button', { name: /^Commit the new effect/ }));
    await screen.findByText('1 event, #1,285');
    const [first, second] = sentTo('/commands');
    expect(second!.body).toEqual({ commands: [assignSolo], shown: laterPreview.shown });
    expect(second!.key).not.toBe(first!.key);
  });

  it.each([
    [1283, 'other terms', 'The terms of Pulse Solo in the catalogue have changed since the preview.'],
    [1284, 'other terms', 'The terms of Pulse Solo in the catalogue have changed since the preview.'],
    [1283, 'the same terms', /^No event was recorded since the preview\./],
  ])(
    'says why the effect has changed since the preview: revision %i, %s in the catalogue',
    async (revision, terms, sentence) => {
      const sold = (users: number) => [
        { ...planAssigned, data: { ...planAssigned.data, terms: { limits: { users }, features: [] } }, command: 0 },
      ];
      const now = { ...laterPreview, revision, events: sold(terms === 'other terms' ? 2 : 1) };
      const { user } = await openDraft([assignSolo], {
        previews: [ok({ ...soloPreview, events: sold(1) }), ok(now)],
        commits: [{ status: 409, data: { ...notAsShown, revision } }],
      });
      await user.click(await commitButton());
      expect(await screen.findByText(sentence)).toBeVisible();
      expect(screen.queryAllByText('Pulse Solo: Users 1 → 2')).toHaveLength(terms === 'other terms' ? 1 : 0);
    },
  );

  it('lists the events since the committed preview, even if a reload came before the service answered the commit', async () => {
    const opened = await openDraft([assignSolo], { commits: [{ status: 502 }] });
    await opened.user.click(await commitButton());
    await screen.findByText('We do not know whether it happened.');
    opened.unmount();
    await openDraft([assignSolo], { previews: [ok(laterPreview)], commits: [{ status: 409, data: notAsShown }] });
    expect(await screen.findByText('One event was recorded since the preview:')).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent(
      'Nothing was executed. The page was loaded again, so the old preview is gone. Check the preview, and commit the new effect if it is right.',
    );
    expect(screen.queryByRole('region', { name: 'As shown before' })).toBeNull();
  });

  it('shows both previews and the changed terms, even if the outcome of the first request was unknown', async () => {
    const { user } = await openDraft([assignSolo], {
      previews: [ok(previewWithTerms(1)), ok({ ...previewWithTerms(2), shown: laterPreview.shown })],
      commits: [
        { status: 503, headers: { 'retry-after': '0' } },
        { status: 409, data: { ...notAsShown, revision: 1283 } },
      ],
    });
    await user.click(await commitButton());
    expect(await screen.findByRole('region', { name: 'As shown before' })).toBeVisible();
    expect(screen.getByRole('region', { name: 'As it would be now' })).toBeVisible();
    expect(await screen.findByText('Pulse Solo: Users 1 → 2')).toBeVisible();
    expect(screen.getByText(/^Nothing was executed\. Compare both previews/)).toBeVisible();
  });

  it.each([[{ status: 503, headers: { 'retry-after': '1' }, data: {} }], [{ status: 502 }]])(
    'without a known outcome (%j) is sent again with the same `Idempotency-Key` until the outcome is known',
    async (unknown) => {
      const { user, sentTo } = await openDraft([assignSolo], { commits: [unknown, ok(committed)] });
      await user.click(await commitButton());
      expect(await screen.findByText('We do not know whether it happened.')).toBeVisible();
      expect(screen.queryByRole('button', { name: /^Commit/ })).toBeNull();
      await screen.findByText('1 event, #1,284');
      const [first, second] = sentTo('/commands');
      expect(second).toEqual(first);
    },
  );

  it('without a known outcome is sent again at once if the person presses Ask again now', async () => {
    const { user, sentTo } = await openDraft([assignSolo], {
      commits: [{ status: 503, headers: { 'retry-after': '600' } }, ok(committed)],
    });
    await user.click(await commitButton());
    expect(await screen.findByText(/asks again in 10 minutes/, { ignore: '.unseen' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Ask again now' }));
    await screen.findByText('1 event, #1,284');
    const [first, second] = sentTo('/commands');
    expect(second).toEqual(first);
  });

  it.each([403, 404])(
    'has an outcome that stays unknown if the service answers %i to a repetition, also after a reload',
    async (status) => {
      const lost = { status: 503, headers: { 'retry-after': '1' } };
      const hidden = { status, data: { type: '/problems/not-found' } };
      const opened = await openDraft([assignSolo], { commits: [lost, hidden] });
      await opened.user.click(await commitButton());
      const said = /^We do not know whether the commands were executed, and you no longer have permission/;
      expect(await screen.findByText(said)).toBeVisible();
      expect(screen.queryByText(/Nothing was executed/)).toBeNull();
      expect(screen.queryByRole('button', { name: /^Commit/ })).toBeNull();
      opened.unmount();
      const { sentTo } = await openDraft([assignSolo], { commits: [hidden] });
      expect(await screen.findByText(said)).toBeVisible();
      expect(sentTo('/commands')[0]).toEqual(opened.sentTo('/commands')[0]);
    },
  );

  it('is sent again with the same `Idempotency-Key` after a reload if its outcome is unknown', async () => {
    const opened = await openDraft([assignSolo], { commits: [{ status: 502 }] });
    await opened.user.click(await commitButton());
    await screen.findByText('We do not know whether it happened.');
    opened.unmount();
    const { sentTo } = await openDraft([assignSolo]);
    await screen.findByText('1 event, #1,284');
    expect(sentTo('/commands')[0]).toEqual(opened.sentTo('/commands')[0]);
  });

  it.each([
    ['the service has answered 502', { status: 502 }],
    ['before the service answers', new Promise<ConsoleReply>(() => undefined)],
  ])(
    'is sent again with the same `Idempotency-Key` if the person opens another page and %s; the other page has no draft',
    async (_, lost) => {
      const { user, sentTo, address } = await openDraft([assignSolo], { commits: [lost, ok(committed)] });
      await user.click(await commitButton());
      await screen.findByText(/^(We do not know whether it happened\.|Committing…)$/);
      await openMembers(user);
      expect(await screen.findByText(/^The change that you began before is executed: /)).toBeVisible();
      const [first, second] = sentTo('/commands');
      expect(second).toEqual(first);
      expect(address()).toBe('/members');
      expect(screen.queryByRole('complementary', { name: 'Draft' })).toBeNull();
    },
  );

  it('without a known outcome closes the draft also beside a page to which Back leads', async () => {
    const page = await openDraft([assignSolo], { commits: [{ status: 503, headers: { 'retry-after': '600' } }] });
    const draft = page.address();
    page.unmount();
    const { user, back, address } = await openOrganization(draft.replace('/draft', '/members'), ({ url }) => {
      if (url.endsWith('/standing')) return ok(rightsOf.operator);
      if (url.endsWith('/preview')) return ok(soloPreview);
      return url.endsWith('/commands') ? { status: 503, headers: { 'retry-after': '600' } } : undefined;
    });
    await user.click(await screen.findByRole('link', { name: 'Open the draft' }));
    await user.click(await commitButton());
    await screen.findByText('We do not know whether it happened.');
    await back();
    expect(address()).toMatch(/^\/members#draft=/);
    expect(
      await screen.findByText('We do not know whether it happened. The page asks the service again.'),
    ).toBeVisible();
    expect(screen.queryByRole('complementary', { name: 'Draft' })).toBeNull();
  });

  it('that the service refuses after the person has opened another page leaves the reason and a link to the draft there', async () => {
    const { user, address } = await openDraft([assignSolo], {
      commits: [{ status: 502 }, { status: 409, data: notAsShown }],
    });
    const draft = address();
    await user.click(await commitButton());
    await screen.findByText('We do not know whether it happened.');
    await openMembers(user);
    expect(await screen.findByText('The effect is no longer as shown. Nothing was executed.')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Open the draft' }));
    expect(address()).toBe(draft);
    expect(await commitButton()).toBeVisible();
  });

  it('with an unknown outcome prevents the commit of another draft until the outcome is known', async () => {
    const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
    const { user, back, sentTo } = await openDraft([assignSolo, assignSolo], { commits: [{ status: 502 }, promise] });
    await commitButton();
    await user.click(screen.getByRole('button', { name: 'Take out line 2' }));
    await waitFor(() => expect(lines()).toHaveLength(1));
    await user.click(await commitButton());
    await screen.findByText('We do not know whether it happened.');
    await back();
    await waitFor(() => expect(lines()).toHaveLength(2));
    await waitFor(() => expect(sentTo('/commands')).toHaveLength(2));
    expect(screen.queryByRole('button', { name: /^Commit/ })).toBeNull();
    resolve(ok(committed));
    expect(await screen.findByText(/^The change that you began before is executed: /)).toBeVisible();
    expect(await commitButton()).toBeVisible();
    const [first, second] = sentTo('/commands');
    expect(second).toEqual(first);
  });

  it('is sent again by one part of the page only if Back leads to another draft after a reload', async () => {
    const later = { status: 503, headers: { 'retry-after': '600' } };
    const first = await openDraft([assignSolo, assignSolo], { commits: [later] });
    await commitButton();
    await first.user.click(screen.getByRole('button', { name: 'Take out line 2' }));
    await waitFor(() => expect(lines()).toHaveLength(1));
    await first.user.click(await commitButton());
    await screen.findByText('We do not know whether it happened.');
    first.unmount();
    const { back, sentTo } = await openDraft([assignSolo], { commits: [later] });
    await waitFor(() => expect(sentTo('/commands')).toHaveLength(1));
    await back();
    await waitFor(() => expect(lines()).toHaveLength(2));
    await waitFor(() => expect(sentTo('/commands').length).toBeGreaterThan(1));
    expect(
      await screen.findAllByText('We do not know whether it happened. The page asks the service again.'),
    ).toHaveLength(1);
    expect(sentTo('/commands')).toHaveLength(2);
  });

  it('is sent again with its own `Idempotency-Key` after a reload on the page of another draft', async () => {
    const first = await openDraft([assignSolo], { commits: [{ status: 502 }] });
    await first.user.click(await commitButton());
    await screen.findByText('We do not know whether it happened.');
    first.unmount();
    const second = await openDraft([assignSolo, assignSolo]);
    expect(await screen.findByText(/^The change that you began before is executed: /)).toBeVisible();
    expect(second.sentTo('/commands')).toEqual(first.sentTo('/commands').slice(0, 1));
    expect(await commitButton()).toBeVisible();
    second.unmount();
    await openDraft([assignSolo]);
    expect(await screen.findByText(/^This tab has already committed this draft: 1 event, #1,284\./)).toBeVisible();
  });

  it('shows the reason if the service refuses it', async () => {
    const { user } = await openDraft([assignSolo], {
      commits: [{ status: 403, data: { type: '/problems/not-allowed', takes: ['operator', 'billing:write'] } }],
    });
    await user.click(await commitButton());
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Nothing was executed. You may not do this. Required role: Operator.',
    );
  });
});
