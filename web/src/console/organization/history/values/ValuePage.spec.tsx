import { screen, within } from '@testing-library/react';
import { openOrganization } from '../../open-organization.testing';

const PATH = '/limits/users/limit';
const change = (revision: number) => ({
  ...{ revision, at: '2026-05-02T09:00:00.000Z', type: 'LimitsConfigured', actor: { kind: 'system', id: 'charter' } },
  ...{ before: revision - 1, after: revision },
});
const page = (first: number, next: string | null) => ({
  path: PATH,
  changes: Array.from({ length: 100 }, (_, row) => change(first - row)),
  next,
});

describe('The values of one field', () => {
  it('have a mark if they were recorded after the moment of the page', async () => {
    await openOrganization(`/changes?path=${PATH}&asOf=1191`, ({ url }) =>
      url.endsWith('/changes')
        ? { status: 200, data: { path: PATH, changes: [change(1192), change(1191)], next: null } }
        : undefined,
    );
    const row = async (name: string) => within((await screen.findByRole('link', { name })).closest('li')!);
    expect((await row('#1,192')).getByText('recorded later')).toBeVisible();
    expect((await row('#1,191')).queryByText('recorded later')).toBeNull();
  });

  it('beyond the newest 100 appear only after the person presses a button', async () => {
    const { user, sent } = await openOrganization(`/changes?path=${PATH}`, ({ url, params }) =>
      url.endsWith('/changes')
        ? { status: 200, data: params['cursor'] === 'c' ? page(100, null) : page(200, 'c') }
        : undefined,
    );
    expect(await screen.findAllByRole('link', { name: /^#/ })).toHaveLength(100);
    await user.click(screen.getByRole('button', { name: 'Show earlier changes' }));
    expect(await screen.findByRole('link', { name: '#1' })).toBeVisible();
    expect(screen.getAllByRole('link', { name: /^#/ })).toHaveLength(200);
    expect(screen.queryByRole('button', { name: 'Show earlier changes' })).toBeNull();
    expect(sent.filter(({ url }) => url.endsWith('/changes'))).toHaveLength(2);
  });

  it('can be restored with a draft if they are in the document; the values of a limit cannot', async () => {
    const opened = (path: string) =>
      openOrganization(`/changes?path=${path}`, ({ url }) =>
        url.endsWith('/changes') ? { status: 200, data: { path, changes: [change(1191)], next: null } } : undefined,
      );
    const { unmount } = await opened('/name');
    expect((await screen.findByRole('link', { name: 'Make it so again…' })).getAttribute('href')).toMatch(
      /[/]draft[?]undo=to:1191&only=%2Fname$/,
    );
    unmount();
    await opened(PATH);
    await screen.findByRole('link', { name: '#1,191' });
    expect(screen.queryByRole('link', { name: 'Make it so again…' })).toBeNull();
  });
});
