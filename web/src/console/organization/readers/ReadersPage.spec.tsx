import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openOrganization } from '../open-organization.testing';

const rows = () => screen.getAllByRole('row').map((row) => row.textContent);

describe('The page of readers', () => {
  afterEach(() => jest.useRealTimers());

  it('shows each reader by name or role, beside the hour of the reads', async () => {
    await openOrganization('/readers');
    expect(await screen.findByText('Ada Jansen')).toBeVisible();
    expect(rows()).toEqual([
      'HourReaderAction',
      'Nov 21, 2026, 10:00 AM UTCAda Jansen · Ownerread',
      'Operatorexported',
      'Operatorread',
      'Nov 21, 2026, 9:00 AM UTCNightly export · API keyfollowed the feed of all organizations',
    ]);
    expect(screen.getByRole('rowheader', { name: /10:00/ })).toHaveAttribute('rowspan', '3');
  });

  it('has a grid that is one stop of Tab, and in which the keys move the focus between the rows', async () => {
    await openOrganization('/readers');
    const user = userEvent.setup();
    const grid = await screen.findByRole('grid', { name: 'Readers' });
    const [header, ...body] = within(grid).getAllByRole('row');
    expect(grid).toHaveAttribute('aria-rowcount', '-1'); // the list has a next page
    expect([header, ...body].map((row) => row?.getAttribute('aria-rowindex'))).toEqual(['1', '2', '3', '4', '5']);
    expect(within(grid).getByRole('columnheader', { name: 'Hour' })).toHaveAttribute('aria-sort', 'descending');
    const stops = () => body.map((row) => row.tabIndex);
    expect(stops()).toEqual([0, -1, -1, -1]);
    act(() => body[0]?.focus());
    for (const [key, at] of [
      ['{ArrowDown}', 1],
      ['j', 2],
      ['{End}', 3],
      ['j', 3],
      ['k', 2],
      ['{ArrowUp}', 1],
      ['{PageDown}', 3],
      ['{PageUp}', 0],
      ['{End}', 3],
      ['{Home}', 0],
      ['k', 0],
      ['{ArrowDown}', 1],
    ] as const) {
      await user.keyboard(key);
      expect({ key, focused: body.indexOf(document.activeElement as HTMLElement) }).toEqual({ key, focused: at });
    }
    expect(stops()).toEqual([-1, 0, -1, -1]);
    await user.keyboard('/');
    expect(screen.getByLabelText('Day (UTC)')).toHaveFocus();
  });

  it('moves the tab stop and the arrow keys with the focused row when a new row appears above that row', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const reader = (name: string) => ({
      ...{ hour: '2026-11-21T10', actor: { kind: 'account', id: name } },
      ...{ as: 'owner', name, did: 'read' },
    });
    const readers = ['Ben', 'Carla'].map(reader);
    await openOrganization('/readers', ({ url }) =>
      url.endsWith('/readers') ? { status: 200, data: { readers: [...readers], next: null } } : undefined,
    );
    const row = async (name: string) => (await screen.findByText(name)).closest('tr')!;
    const [ben, carla] = [await row('Ben'), await row('Carla')];
    act(() => ben.focus());
    readers.unshift(reader('Ada'));
    await act(() => jest.advanceTimersByTimeAsync(60_000));
    const ada = await row('Ada');
    expect(ben).toHaveFocus();
    expect([ada, ben, carla].map((one) => one.tabIndex)).toEqual([-1, 0, -1]);
    fireEvent.keyDown(ben, { key: 'ArrowDown' });
    expect(carla).toHaveFocus();
  });

  it('stores the chosen day and the cursor of the list in the address, and keeps the moment of the page', async () => {
    const { address } = await openOrganization('/readers?asOf=1191');
    const user = userEvent.setup();
    await user.click(await screen.findByRole('link', { name: 'Next page' }));
    expect(await screen.findByText('First page')).toBeVisible();
    expect(address()).toBe('/readers?asOf=1191&cursor=eyJhIjoxfQ');
    await user.type(screen.getByLabelText('Day (UTC)'), '2026-11-20');
    await user.click(screen.getByRole('button', { name: 'Show' }));
    await act(() => Promise.resolve());
    expect(address()).toBe('/readers?asOf=1191&from=2026-11-20T00%3A00%3A00.000Z&to=2026-11-20T23%3A59%3A59.999Z');
    expect(within(await screen.findByRole('grid')).getByText('Maximiliana Wolfeschlegelsteinhausen')).toBeVisible();
    expect(screen.queryByText('First page')).toBeNull();
  });

  it('shows new reads within a minute, and when the person comes back to the page', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const { sent } = await openOrganization('/readers');
    await screen.findByText('Ada Jansen');
    const requests = () => sent.filter(({ url }) => url.endsWith('/readers'));
    expect(requests()).toHaveLength(1);
    await act(() => jest.advanceTimersByTimeAsync(60_000));
    await waitFor(() => expect(requests()).toHaveLength(2));
    act(() => void window.dispatchEvent(new Event('focus')));
    await waitFor(() => expect(requests()).toHaveLength(3));
  });

  it('sends no request for the list of readers if the person has no right to see this list', async () => {
    const { sent } = await openOrganization('/readers', ({ url }) =>
      url.endsWith('/standing')
        ? { status: 200, data: { organization: 'x', roles: ['admin'], may: [], reads: ['history'], grants: [] } }
        : undefined,
    );
    expect(await screen.findByText(/^The list of readers is for owners/)).toBeVisible();
    expect(sent.filter(({ url }) => url.endsWith('/readers'))).toEqual([]);
  });
});
