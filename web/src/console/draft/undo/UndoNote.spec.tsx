import { act, screen, waitFor, within } from '@testing-library/react';
import { NORTHWIND } from '../../../../../test/journeys/pages/samples';
import { BEN } from '../../../../../test/journeys/pages/samples/lists';
import { committed, soloPreview } from '../../../../../test/journeys/pages/samples/previews';
import { type ConsoleReply, nextFrames } from '../../open.testing';
import { openOrganization } from '../../organization/open-organization.testing';
import * as compression from '../address/compression';
import { draftAddress } from '../address/draft-address';
import { readDraft } from '../address/read-draft';
import { undoRequestIn } from './undo-request';

jest.mock('../address/compression', () => {
  const real = jest.requireActual<typeof compression>('../address/compression');
  return { ...real, compressed: jest.fn(real.compressed) };
});

const removal = { type: 'RemoveMember', data: { member: BEN } };
const undo = { revision: 1283, commands: [removal], exact: true, leaves: [], later: [], preview: soloPreview };

/** Opens the draft page. The service answers each request for an undo with `answer`. */
const openUndo = async (query: string, answer: object, status = 200) => {
  const page = await openOrganization(`/draft?${query}`, ({ url }) => {
    if (url.endsWith('/undo')) return { status, data: answer };
    return url.endsWith('/preview') ? { status: 200, data: soloPreview } : undefined;
  });
  return { ...page, asked: () => page.sent.filter(({ url }) => url.endsWith('/undo')).map(({ body }) => body) };
};

describe('The events that an address names for an undo', () => {
  it.each([
    ['undo=1191', { event: 1191 }],
    ['undo=1284..1286', { events: [1284, 1286] }],
    ['undo=to:1190', { to: 1190 }],
    ['undo=to:1190&only=/members,/plans/second,x', { to: 1190, only: ['/members', '/plans/second'] }],
    ['undo=to:1..2', undefined],
    ['undo=-1', undefined],
    ['undo=99999999999999999999', undefined],
    ['', undefined],
  ])('%s are %j', (query, request) => expect(undoRequestIn(new URLSearchParams(query))).toEqual(request));
});

describe('An undo', () => {
  it('opens a draft with the commands from the service, and says that these commands restore every value', async () => {
    const { asked, address } = await openUndo('undo=1191', undo);
    expect(await screen.findByRole('heading', { name: 'Undo of event 1,191' })).toBeVisible();
    expect(await screen.findByText('These commands restore every value.')).toBeVisible();
    expect(await screen.findByText('Remove \u2068Ben Okafor\u2069')).toBeVisible();
    expect(await screen.findByRole('button', { name: /^Commit exactly this/ })).toBeVisible();
    expect(asked()).toEqual([{ event: 1191 }]);
    expect(address()).toBe(`/draft?undo=1191${new URL(await draftAddress(NORTHWIND, [removal]), 'http://pages').hash}`);
  });

  it('does not fill its draft again after the person has emptied it and the browser goes online again', async () => {
    const again = Promise.withResolvers<ConsoleReply>();
    const answers = [{ status: 200, data: undo }, again.promise];
    const { user, sent, address } = await openOrganization('/draft?undo=1191', ({ url }) => {
      if (url.endsWith('/undo')) return answers.shift();
      return url.endsWith('/preview') ? { status: 200, data: soloPreview } : undefined;
    });
    await user.click(await screen.findByRole('button', { name: 'Take out line 1' }));
    await waitFor(() => expect(address()).toBe('/draft?undo=1191#draft='));
    await act(async () => window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(sent.filter(({ url }) => url.endsWith('/undo'))).toHaveLength(2));
    const note = screen.getByRole('region', { name: 'Undo of event 1,191' });
    await waitFor(() => expect(note).toHaveAttribute('aria-busy', 'true'));
    await act(async () => again.resolve({ status: 200, data: undo }));
    await waitFor(() => expect(note).toHaveAttribute('aria-busy', 'false'));
    await nextFrames();
    expect(address()).toBe('/draft?undo=1191#draft=');
  });

  it('copies a link that contains the events to undo, but not the moment of the page', async () => {
    const { user } = await openUndo('undo=to:1190&only=/members&valid=2099-01-01T00:00:00Z', undo);
    const copied = jest.spyOn(navigator.clipboard, 'writeText');
    await user.click(await screen.findByRole('button', { name: 'Copy link' }));
    await waitFor(() => expect(copied).toHaveBeenCalledTimes(1));
    const { search, hash } = new URL(copied.mock.calls[0]![0]);
    expect(new URLSearchParams(search).toString()).toBe('undo=to%3A1190&only=%2Fmembers');
    expect(await readDraft(hash)).toEqual({ commands: [removal] });
  });

  it('says which values the commands do not restore, and why', async () => {
    const bought = {
      type: 'PurchaseAddOn',
      data: { addOn: 'additionalUser', purchase: 'p-2', grants: { termsOf: 1140 } },
    };
    await openUndo('undo=1284..1285', {
      ...{ ...undo, exact: false, commands: [bought], more: 3 },
      leaves: [
        { path: '/addOns/p-1', why: 'new-purchase-id' },
        { path: '/traffic', why: 'fact-from-outside' },
      ],
      later: [{ path: `/members/${BEN}/role`, revision: 1204, type: 'MemberRoleChanged' }],
    });
    const note = within(await screen.findByRole('region', { name: 'Undo of events 1,284 to 1,285' }));
    expect(await note.findByText(/New purchase id: p-2\.$/)).toBeVisible();
    expect(note.getByText('Traffic: another system measured this value, so it stays.')).toBeVisible();
    expect(note.getByRole('link', { name: '#1,204' })).toHaveAttribute('href', `/org/${NORTHWIND}/history/1204`);
    expect(note.getByText(/^3 further commands do not fit/)).toBeVisible();
    expect(await screen.findByText(/on the terms of event #1,140/)).toBeVisible();
  });

  it('says that no command undoes the first switch of the product, and links to the page Settings, which can change single sign-on', async () => {
    await openUndo('undo=1191', {
      ...{ ...undo, exact: false },
      leaves: [
        { path: '/pulse', why: 'no-command' },
        { path: '/singleSignOn', why: 'no-command' },
      ],
    });
    const note = within(await screen.findByRole('region', { name: 'Undo of event 1,191' }));
    expect(
      await note.findByText(/: no command restores the state before the product was first switched on or off\.$/),
    ).toBeVisible();
    expect(note.getByText(/: no command of a draft restores this value\./)).toBeVisible();
    expect(note.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', `/org/${NORTHWIND}/settings`);
  });

  it('says that a later event changed an entry that the undo removes, and that an add-on keeps its later value', async () => {
    const later = [
      { path: `/members/${BEN}/role`, revision: 1204, type: 'MemberRoleChanged' },
      { path: '/addOns/a/quantity', revision: 1205, type: 'AddOnPurchased' },
    ];
    await openUndo('undo=1191', { ...undo, exact: false, later });
    const note = within(await screen.findByRole('region', { name: 'Undo of event 1,191' }));
    expect(
      await note.findByText(/Ben Okafor.*: the undo removes this entry, although a later event changed this value:/),
    ).toBeVisible();
    expect(note.getByText(/: User: a later event changed this again, so the value stays:/)).toBeVisible();
  });

  it('keeps the purchase id of the draft in the address, although each answer of the service contains a new id', async () => {
    const bought = (purchase: string) => ({ type: 'PurchaseAddOn', data: { addOn: 'additionalUser', purchase } });
    const { hash } = new URL(await draftAddress(NORTHWIND, [bought('p-1')]), 'http://pages');
    const leaves = [{ path: '/addOns/a', why: 'new-purchase-id' }];
    await openUndo(`undo=1284${hash}`, { ...undo, exact: false, commands: [bought('p-2')], leaves });
    expect(await screen.findByText(/New purchase id: p-1\.$/)).toBeVisible();
  });

  it('of events that changed no value says so, and opens no draft', async () => {
    const { address } = await openUndo('undo=1281', { type: '/problems/nothing-to-undo' }, 409);
    expect(await screen.findByText(/^There is nothing to undo/)).toBeVisible();
    expect(address()).toBe('/draft?undo=1281');
  });

  it('lists later changes of settings with the names of the settings', async () => {
    const later = [
      { path: '/pulse', revision: 1204, type: 'ProductDisabled' },
      { path: '/pulseDetails/parallelUse', revision: 1205, type: 'ParallelUseChanged' },
      { path: '/limits/override', revision: 1206, type: 'HardLimitsOverridden' },
    ];
    await openUndo('undo=1191', { ...undo, exact: false, later });
    const note = within(await screen.findByRole('region', { name: 'Undo of event 1,191' }));
    await note.findByRole('link', { name: '#1,204' });
    expect(note.getAllByRole('listitem').map(({ textContent }) => textContent.split(':')[0])).toEqual([
      'Product',
      'Parallel use',
      'Override of hard limits',
    ]);
  });

  it('says that a member must accept the membership again if the undo adds the member again', async () => {
    await openUndo('undo=1191', { ...undo, commands: [{ type: 'AddMember', data: { member: BEN, role: 'admin' } }] });
    expect(await screen.findByText(/until this person accepts again\. A person who never accepted/)).toBeVisible();
  });

  it('says which role the person needs if the person may not undo events, and has no button to try again', async () => {
    await openUndo('undo=1191', { type: '/problems/not-allowed', takes: ['admin', 'audit:read'] }, 403);
    expect(await screen.findByRole('alert')).toHaveTextContent('You may not do this. Required role: Admin.');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('opens no draft if one of the commands contains an e-mail address, and shows that command', async () => {
    const rename = { type: 'RenameOrganization', data: { name: 'ben@northwind.example' } };
    const { address } = await openUndo('undo=1191', { ...undo, commands: [removal, rename] });
    const alert = within(await screen.findByRole('alert'));
    expect(alert.getByText(/^No draft was opened, because the address of a draft must not contain/)).toBeVisible();
    expect(alert.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Rename the organization to \u2068ben@northwind.example\u2069',
    ]);
    expect(screen.queryByText('These commands restore every value.')).toBeNull();
    expect(address()).toBe('/draft?undo=1191');
  });

  it('of all events after a revision can be limited to parts of the organization; each choice of parts opens a new draft', async () => {
    const { user, asked, address } = await openUndo('undo=to:1190', undo);
    await user.click(await screen.findByRole('checkbox', { name: 'Members' }));
    await waitFor(() => expect(asked()).toEqual([{ to: 1190 }, { to: 1190, only: ['/members'] }]));
    await waitFor(() => expect(address()).toMatch(/only=%2Fmembers#draft=/));
    await waitFor(() => expect(screen.getByRole('checkbox', { name: 'Members' })).toBeChecked());
  });

  it.each([
    ['Settings', ['/name', '/pulse', '/pulseDetails/parallelUse']],
    ['Limits', ['/limits']],
  ])('of all events after a revision can be limited to the part %s', async (part, only) => {
    const { user, asked } = await openUndo('undo=to:1190', undo);
    await user.click(await screen.findByRole('checkbox', { name: part }));
    await waitFor(() => expect(asked().at(-1)).toEqual({ to: 1190, only }));
    await waitFor(() => expect(screen.getByRole('checkbox', { name: part })).toBeChecked());
  });

  it('keeps the parts that the person chooses while the draft of all parts is still opening', async () => {
    const opening = Promise.withResolvers<undefined>();
    const isCompressing = Promise.withResolvers<undefined>();
    const original = jest.mocked(compression.compressed).getMockImplementation()!;
    jest.mocked(compression.compressed).mockImplementationOnce(async (text) => {
      isCompressing.resolve(undefined);
      await opening.promise;
      return original(text);
    });
    const { user, asked, address } = await openUndo('undo=to:1190', undo);
    await isCompressing.promise;
    await user.click(await screen.findByRole('checkbox', { name: 'Limits' }));
    await act(async () => opening.resolve(undefined));
    await waitFor(() => expect(address()).toMatch(/^\/draft\?undo=to%3A1190&only=%2Flimits#draft=/));
    expect(asked()).toEqual([{ to: 1190 }, { to: 1190, only: ['/limits'] }]);
    expect(screen.getByRole('checkbox', { name: 'Limits' })).toBeChecked();
  });

  it('is offered on the page of an event', async () => {
    await openOrganization('/history/1191');
    expect(await screen.findByRole('link', { name: 'Undo…' })).toHaveAttribute(
      'href',
      `/org/${NORTHWIND}/draft?undo=1191`,
    );
  });

  it('is offered after a commit, for the events of the commit', async () => {
    const { pathname, hash } = new URL(await draftAddress(NORTHWIND, [removal]), 'http://pages');
    const { user } = await openOrganization(pathname.replace(`/org/${NORTHWIND}`, '') + hash, ({ url }) => {
      if (url.endsWith('/commands')) return { status: 200, data: committed };
      return url.endsWith('/preview') ? { status: 200, data: soloPreview } : undefined;
    });
    await user.click(await screen.findByRole('button', { name: /^Commit exactly this/ }));
    expect(await screen.findByRole('link', { name: 'Undo…' })).toHaveAttribute(
      'href',
      `/org/${NORTHWIND}/draft?undo=1284`,
    );
  });
});
