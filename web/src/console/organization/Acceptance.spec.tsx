import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { useMeQuery } from '../api';
import { type ConsoleReply, renderConsole, type SentRequest } from '../open.testing';
import { Acceptance } from './Acceptance';

const ID = '7c1e52f0-0000-4000-8000-000000000001';

/**
 * Renders the part of the page that asks a member who was added by id to accept the membership. `failing`: the service
 * refuses the acceptance once.
 */
function opened({
  role = null,
  accepted = false,
  failing = false,
  search = '',
}: {
  role?: string | null;
  accepted?: boolean;
  failing?: boolean;
  search?: string;
}) {
  let [isAccepted, fails] = [accepted, failing];
  const answer = ({ method, url }: SentRequest): ConsoleReply => {
    if (method === 'GET' && url !== '/api/v1/me') return { status: 404 };
    if (method === 'GET')
      return {
        status: 200,
        data: {
          id: 'p',
          name: 'Ada',
          role,
          organizations: [{ id: ID, name: 'Acme', role: 'member', accepted: isAccepted }],
        },
      };
    if (fails) {
      fails = false;
      return { status: 503, data: { status: 503 } };
    }
    isAccepted = true;
    return { status: 204 };
  };
  const page = (
    <>
      <Name />
      <Routes>
        <Route path="/org/:id/*" element={<Acceptance />} />
      </Routes>
    </>
  );
  return renderConsole(page, { answer, path: `/org/${ID}/overview${search}` });
}
const Name = () => <h1>{useMeQuery(undefined).data?.name}</h1>;
const button = () => screen.queryByRole('button', { name: 'Show my name and address' });
const posts = (sent: readonly SentRequest[]) => sent.filter(({ method }) => method === 'POST').map(({ url }) => url);

describe('Acceptance of a membership', () => {
  it('waits until the person presses the button, and then says that the other members see the name', async () => {
    const { user, sent } = await opened({});
    expect(await screen.findByText(/The other members do not see your name yet/)).toBeVisible();
    expect(posts(sent)).toEqual([]);
    await user.click(button()!);
    expect(await screen.findByText('The other members now see your name and e-mail address.')).toBeVisible();
    expect(posts(sent)).toEqual([`/api/v1/me/organizations/${ID}/accept`]);
    expect(button()).toBeNull();
    expect(screen.getByRole('heading', { name: 'Ada' })).toHaveFocus();
  });

  it('can be tried again after a failure', async () => {
    const { user } = await opened({ failing: true });
    await user.click(await screen.findByRole('button', { name: 'Show my name and address' }));
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('The other members now see your name and e-mail address.')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each([
    ['has accepted already', { accepted: true }],
    ['has a platform role', { role: 'auditor' }],
    ['looks at the past', { search: '?asOf=4' }],
  ])('is not requested from a person who %s', async (_, state) => {
    await opened(state);
    expect(await screen.findByRole('heading', { name: 'Ada' })).toBeVisible();
    expect(button()).toBeNull();
  });
});
