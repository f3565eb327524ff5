import { screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { answering, NORTHWIND, people, rightsOf } from '../../../../test/journeys/pages/samples';
import { BEN, memberPage } from '../../../../test/journeys/pages/samples/lists';
import { type ConsoleReply, renderConsole, type SentRequest } from '../open.testing';
import { lastOrganizations } from '../last-organizations';
import { TimeBarPlace } from '../moment/bar/TimeBarPlace';
import { lookBack } from '../moment/look-back';
import { openOrganization } from '../organization/open-organization.testing';
import { Tools } from './Tools';

const answeringTo =
  (me: object) =>
  ({ method, url, params, body: asked }: SentRequest): ConsoleReply => {
    const path = `${url}?${new URLSearchParams(params).toString()}`;
    const { status, body } = answering(me)({ method, path, body: asked, xsrf: '' }) as {
      status: number;
      body: object;
    };
    return { status, data: body, headers: { 'request-id': 'the-request' } };
  };

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{`${pathname.replace(`/org/${NORTHWIND}`, '')}${search}`}</output>;
}
const address = () => screen.getByRole('status', { name: 'address' });

async function opened(
  path = `/org/${NORTHWIND}/overview`,
  me: object = people.operator,
  but: (request: SentRequest) => ConsoleReply | Promise<ConsoleReply> | undefined = () => undefined,
) {
  const page = (
    <>
      <Address />
      <input aria-label="a field" />
      <Tools />
    </>
  );
  const answer = (request: SentRequest) => but(request) ?? answeringTo(me)(request);
  const visit = await renderConsole(page, { answer, path });
  if (path.startsWith('/org/')) await screen.findByText('Northwind GmbH');
  return visit;
}

describe('The search dialog', () => {
  it('opens with Ctrl K, and opens the chosen page at the same past moment as the current page', async () => {
    const { user } = await opened(`/org/${NORTHWIND}/overview?asOf=1191`);
    await user.keyboard('{Control>}k{/Control}');
    const field = await screen.findByRole('combobox', { name: 'Find or do' });
    await user.type(field, 'doma');
    await screen.findByRole('option', { name: 'Domains' });
    expect(field).toHaveAttribute('aria-activedescendant', screen.getByRole('option', { name: 'Domains' }).id);
    await user.keyboard('{Enter}');
    expect(address()).toHaveTextContent('/domains?asOf=1191');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('finds organizations, and moves through the results with the arrow keys', async () => {
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'Find or do' }));
    await user.type(await screen.findByRole('combobox'), 'a');
    await screen.findByRole('option', { name: /Acme/ });
    const names = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
    await waitFor(() => expect(names().length).toBeGreaterThan(1));
    const selected = () => screen.getByRole('option', { selected: true }).textContent;
    expect(selected()).toBe(names()[0]);
    await user.keyboard('{ArrowDown}');
    expect(selected()).toBe(names()[1]);
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(selected()).toBe(names().at(-1));
  });

  it.each(['blog.north', 'd2'])(
    'finds a domain by its name or its id, and opens the page of domains: %s',
    async (typed) => {
      const { user } = await opened();
      await user.keyboard('{Control>}k{/Control}');
      await user.type(await screen.findByRole('combobox', { name: 'Find or do' }), typed);
      await user.click(await screen.findByRole('option', { name: /blog\.northwind\.example/ }));
      expect(address()).toHaveTextContent('/domains');
    },
  );

  it.each(['#1191', '#1,191', '#1\u00a0191'])('finds an event by the number that a page shows: %s', async (typed) => {
    const { user } = await opened();
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox', { name: 'Find or do' }), typed);
    await user.click(await screen.findByRole('option', { name: '#1191' }));
    expect(address()).toHaveTextContent('/history/1191');
  });

  it('finds a member by name without sending the name in a URL', async () => {
    const { user, sent } = await opened();
    await user.keyboard('{Control>}k{/Control}');
    const field = await screen.findByRole('combobox', { name: 'Find or do' });
    await user.type(field, '@ben');
    await screen.findByRole('option', { name: /Ben Okafor/ });
    await user.clear(field);
    await user.type(field, 'okafor');
    await user.click(await screen.findByRole('option', { name: /Ben Okafor/ }));
    expect(address()).toHaveTextContent(`/members/${BEN}`);
    expect(sent.filter(({ params }) => Object.values(params).some((value) => /ben|okafor/.test(value)))).toEqual([]);
  });

  it.each([
    ['does not say how old its list of organizations is if the list is 0.4 seconds behind', 0.4, undefined],
    ['says how old its list of organizations is if the list is 3.2 seconds behind', 3.2, 'as of 3 s ago'],
  ])('%s', async (_, lag, note) => {
    const { user } = await opened('/', people.operator, (request) => ({
      ...answeringTo(people.operator)(request),
      headers: { 'charter-lag': String(lag) },
    }));
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox'), 'a');
    await screen.findByRole('option', { name: /Acme/ });
    const notes = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
    if (note === undefined) expect(notes().filter((text) => /ago/.test(text))).toEqual([]);
    else await waitFor(() => expect(notes()).toContain(note));
    await user.type(screen.getByRole('combobox'), '{Backspace}>');
    expect(notes().filter((text) => /ago/.test(text))).toEqual([]);
  });

  it('searches the names of all organizations only after the person chooses to search all organizations', async () => {
    const { user, sent } = await opened(undefined, people.operator, (request) => {
      const reply = answeringTo(people.operator)(request);
      return request.url === '/api/v1/organizations'
        ? { ...reply, data: { ...reply.data, next: 'a-cursor' } }
        : undefined;
    });
    const searches = () => sent.flatMap(({ url, params }) => (url === '/api/v1/organizations' ? [params['q']] : []));
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox', { name: 'Find or do' }), 'acm');
    const everywhere = await screen.findByRole('option', { name: 'Find “acm” in all organizations' });
    expect(new Set(searches())).toEqual(new Set([undefined]));
    await user.click(everywhere);
    expect(screen.getByRole('combobox', { name: 'Change organization' })).toHaveValue('acm');
    await waitFor(() => expect(searches()).toContain('acm'));
  });

  it('says so if nothing matches the typed text', async () => {
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'Find or do' }));
    await user.type(await screen.findByRole('combobox'), 'no such thing');
    expect(await screen.findByText('Nothing found')).toBeVisible();
  });

  it('does not say "Nothing found" while the service has not answered', async () => {
    const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
    const { user } = await opened(undefined, people.operator, ({ url, body }) =>
      url.endsWith('/members/search') && (body as { q: string }).q === 'zed' ? promise : undefined,
    );
    await user.click(screen.getByRole('button', { name: 'Find or do' }));
    await user.type(await screen.findByRole('combobox'), '@zed');
    expect(await screen.findByText('Loading: Members')).toBeVisible();
    expect(screen.queryByText('Nothing found')).toBeNull();
    resolve({ status: 200, data: { members: [], next: null, inAll: 0 } });
    expect(await screen.findByText('Nothing found')).toBeVisible();
  });

  it('does not say "Nothing found" for the number of an event while the service has not sent the rights', async () => {
    let standing = Promise.withResolvers<ConsoleReply>();
    const { user } = await opened(undefined, people.operator, ({ url }) =>
      url.endsWith('/standing') ? standing.promise : undefined,
    );
    await user.click(screen.getByRole('button', { name: 'Find or do' }));
    await user.type(await screen.findByRole('combobox'), '#12');
    expect(await screen.findByText('Loading: Events')).toBeVisible();
    expect(screen.queryByText('Nothing found')).toBeNull();
    standing.resolve({ status: 500 });
    expect(await screen.findByText('Events: unavailable right now.')).toBeVisible();
    standing = Promise.withResolvers();
    standing.resolve({ status: 200, data: rightsOf.owner });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('option', { name: '#12' })).toBeVisible();
    expect(screen.getByRole('combobox')).toHaveFocus();
  });

  it('says so if the service cannot search, and searches again after a press of the button', async () => {
    let isFailing = true;
    const { user } = await opened(undefined, people.operator, ({ url }) =>
      !url.endsWith('/members/search')
        ? undefined
        : isFailing
          ? { status: 500 }
          : { status: 200, data: { ...memberPage, inAll: 5 } },
    );
    await user.click(screen.getByRole('button', { name: 'Find or do' }));
    await user.type(await screen.findByRole('combobox'), '@zed');
    expect(await screen.findByText('Members: unavailable right now.')).toBeVisible();
    expect(screen.queryByText('Nothing found')).toBeNull();
    isFailing = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('option', { name: /Ben Okafor/ })).toBeVisible();
    expect(screen.queryByText('Members: unavailable right now.')).toBeNull();
  });

  it('offers to open the time bar, and to verify the history, to a person who may read the history', async () => {
    const asked = jest.fn();
    const end = lookBack.listen(asked);
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'Find or do' }));
    await user.type(await screen.findByRole('combobox'), '>look');
    await user.keyboard('{Enter}');
    expect(asked).toHaveBeenCalledTimes(1);
    end();
    await user.click(screen.getByRole('button', { name: 'Find or do' }));
    await user.type(await screen.findByRole('combobox'), '>verify');
    await user.keyboard('{Enter}');
    expect(address()).toHaveTextContent('/proof');
  });

  it('shows only actions after the prefix >', async () => {
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'Find or do' }));
    await user.type(await screen.findByRole('combobox'), '>link');
    expect(await screen.findAllByRole('option')).toHaveLength(1);
    expect(screen.getByRole('option', { name: 'Copy the link to this page' })).toBeVisible();
  });
});

describe('The organization menu', () => {
  it('finds an organization by its name, and opens it', async () => {
    const { user } = await opened();
    await user.click(await screen.findByRole('button', { name: 'Northwind GmbH' }));
    await user.type(await screen.findByRole('combobox', { name: 'Change organization' }), 'acme');
    await user.click(await screen.findByRole('option', { name: /Acme/ }));
    expect(address()).toHaveTextContent('/org/7c1e52f0-0000-4000-8000-000000000000/overview');
  });

  it("lists the last visited organizations first, even if the service's list does not contain them", async () => {
    lastOrganizations.add('p', { id: '7c1e52f0-0000-4000-8000-0000000000aa', name: 'Zulu Mills' });
    const { user } = await opened();
    await user.click(await screen.findByRole('button', { name: 'Northwind GmbH' }));
    await screen.findByRole('option', { name: /Acme/ });
    expect(screen.getAllByRole('option')[0]).toHaveTextContent('Zulu Mills');
    localStorage.clear();
  });

  it('does not show the organizations that another account has visited in the same browser', async () => {
    lastOrganizations.add('q', { id: '7c1e52f0-0000-4000-8000-0000000000aa', name: 'Zulu Mills' });
    const { user } = await opened();
    await user.click(await screen.findByRole('button', { name: 'Northwind GmbH' }));
    await screen.findByRole('option', { name: /Acme/ });
    expect(screen.queryByRole('option', { name: /Zulu Mills/ })).toBeNull();
    localStorage.clear();
  });

  it('is missing for a person with one organization', async () => {
    await opened(undefined, people.ada);
    expect(await screen.findByText('Northwind GmbH', { selector: 'p' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Northwind GmbH' })).toBeNull();
  });
});

describe('The drawer of requests', () => {
  it('opens with Ctrl . and shows each request with its status and id', async () => {
    const { user } = await opened();
    await user.keyboard('{Control>}.{/Control}');
    const drawer = within(await screen.findByRole('complementary', { name: 'Requests' }));
    const row = drawer.getAllByText(`/api/v1/organizations/${NORTHWIND}`)[0]!.closest('li')!;
    expect(row).toHaveTextContent('200');
    expect(row).toHaveTextContent('the-request');
    expect(within(row).getByRole('button', { name: 'Copy as curl' })).toHaveAttribute(
      'title',
      `curl -H "Authorization: Bearer $CHARTER_KEY" http://localhost/api/v1/organizations/${NORTHWIND}`,
    );
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it('closes with Escape; the open time bar stays open until the next Escape', async () => {
    const { user } = await openOrganization(
      '/overview',
      undefined,
      <>
        <Tools />
        <TimeBarPlace id={NORTHWIND} onScrub={() => undefined} />
      </>,
    );
    await screen.findByText(/^Now · #1,283/);
    await user.keyboard('t');
    await screen.findByLabelText('Moment, or #event');
    await user.keyboard('{Control>}.{/Control}');
    await screen.findByRole('complementary', { name: 'Requests' });
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('complementary', { name: 'Requests' })).toBeNull();
    expect(screen.getByLabelText('Moment, or #event')).toBeVisible();
    await user.keyboard('{Escape}');
    expect(screen.queryByLabelText('Moment, or #event')).toBeNull();
  });
});

describe('Single keys', () => {
  it('open a page after `g`; the key `?` opens the list of keyboard shortcuts', async () => {
    const { user } = await opened();
    await user.keyboard('gd');
    expect(address()).toHaveTextContent('/domains');
    await user.keyboard('?');
    const keys = within(await screen.findByRole('dialog', { name: 'Keys' }));
    expect(keys.getByText('g d')).toBeVisible();
    await user.keyboard('go'); // without effect, because a dialog is open
    expect(address()).toHaveTextContent('/domains');
  });

  it('after `g` open a page, and have no other effect on the part of the page with the focus', async () => {
    const { user } = await opened(`/org/${NORTHWIND}/members`);
    const ordered = jest.fn();
    screen.getByRole('status', { name: 'address' }).parentElement!.addEventListener('keydown', (event) => {
      if (event.key === 'o' && !event.defaultPrevented) ordered();
    });
    screen.getByRole('button', { name: 'Find or do' }).focus();
    await user.keyboard('o');
    expect(ordered).toHaveBeenCalledTimes(1);
    await user.keyboard('go');
    expect(ordered).toHaveBeenCalledTimes(1);
    expect(address()).toHaveTextContent('/overview');
  });

  it('of the history page are in the list that `?` opens on this page', async () => {
    const { user } = await opened(`/org/${NORTHWIND}/history`);
    await user.keyboard('?');
    const keys = within(await screen.findByRole('dialog', { name: 'Keys' }));
    expect(keys.getByText('Space')).toBeVisible();
    expect(keys.getByText('Choose the row, to compare or export')).toBeVisible();
  });

  it('open the explanations in the focused row with w, and the explanations in all rows with Shift W', async () => {
    const page = (
      <main>
        <Tools />
        {[1, 2].map((row) => (
          <li key={row}>
            <button type="button">row {row}</button>
            <details>
              <summary>why {row}</summary>
            </details>
          </li>
        ))}
      </main>
    );
    const { user } = await renderConsole(page, { answer: answeringTo(people.operator) });
    const opened = () => screen.getAllByRole('group').map((one) => (one as HTMLDetailsElement).open);
    screen.getByRole('button', { name: 'row 2' }).focus();
    await user.keyboard('w');
    expect(opened()).toEqual([false, true]);
    await user.keyboard('W');
    expect(opened()).toEqual([true, true]);
    await user.keyboard('W');
    expect(opened()).toEqual([false, false]);
  });

  it('copy a link with a revision and the hash of its event', async () => {
    const { user } = await opened(`/org/${NORTHWIND}/overview?asOf=1191&vs=none`);
    await user.keyboard('c');
    await waitFor(async () =>
      expect(await navigator.clipboard.readText()).toMatch(
        /\/org\/[0-9a-f-]+\/overview\?asOf=1191&vs=none&head=1191\.[0-9a-f]{16}$/,
      ),
    );
  });

  it.each([
    ['/draft?asOf=1191&head=1191.0123456789abcdef&undo=1284..1285#draft=abc', '/draft#draft=abc'],
    ['/draft?valid=2026-01-01T00:00:00Z&undo=1284..1285', '/draft?undo=1284..1285'],
    ['/plan?try=service:none&asOf=1191', '/plan?try=service%3Anone'],
  ])(
    'copy a link without the moment if the address contains commands, because commands change only the present: %s',
    async (path, link) => {
      const { user } = await opened(`/org/${NORTHWIND}${path}`);
      await user.keyboard('c');
      await screen.findByText('Copied.');
      expect((await navigator.clipboard.readText()).split(NORTHWIND)[1]).toBe(link);
    },
  );

  it('say whether the browser has copied the link', async () => {
    const { user } = await opened();
    await user.keyboard('c');
    expect(await screen.findByText('Copied.')).toBeVisible();
    const refuse = jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('refused'));
    await user.keyboard('c');
    expect(await screen.findByText('The browser did not copy.')).toBeVisible();
    refuse.mockRestore();
  });

  it('copy a link without the parameter `head` for a person who may not read the history', async () => {
    const { user, sent } = await opened(`/org/${NORTHWIND}/overview`, people.operator, (request) =>
      request.url.endsWith('/standing')
        ? { status: 200, data: { organization: NORTHWIND, may: [], reads: ['document'] } }
        : undefined,
    );
    await user.keyboard('c');
    await waitFor(async () => expect(await navigator.clipboard.readText()).toMatch(/\/org\/[0-9a-f-]+\/overview$/));
    expect(sent.filter(({ url }) => url.endsWith('/events'))).toEqual([]);
  });

  it('do nothing while a person types', async () => {
    const { user } = await opened();
    await user.type(screen.getByLabelText('a field'), 'gd?');
    expect(address()).toHaveTextContent('/overview');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
