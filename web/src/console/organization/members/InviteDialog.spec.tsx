import type { Entitlements } from '@charter/client';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { NORTHWIND, rightsOf, sampleEntitlements } from '../../../../../test/journeys/pages/samples';
import { renderConsole } from '../../open.testing';
import { InviteDialog } from './InviteDialog';

const withRemaining = (remaining: number) => {
  const { limits } = sampleEntitlements;
  const users = { ...limits.users, used: 8 - remaining, remaining };
  return { ...sampleEntitlements, limits: { ...limits, users } } as unknown as Entitlements;
};

/**
 * The dialog beside two buttons. The first button simulates that another person takes the last seat; the second button
 * simulates that one seat becomes free.
 */
function Page({ remaining }: Readonly<{ remaining: number }>) {
  const [now, setNow] = useState(remaining);
  return (
    <>
      <button type="button" onClick={() => setNow(0)}>
        take
      </button>
      <button type="button" onClick={() => setNow(1)}>
        free
      </button>
      <InviteDialog
        {...{ id: NORTHWIND, entitlements: withRemaining(now), resource: 'users' }}
        onClose={() => undefined}
        onInvited={() => undefined}
      />
    </>
  );
}

const opened = (remaining: number) =>
  renderConsole(<Page {...{ remaining }} />, {
    answer: ({ url }) => (url.endsWith('/standing') ? { status: 200, data: rightsOf.owner } : { status: 404 }),
  });

describe('The dialog of an invitation', () => {
  it('keeps the typed address if another person takes the last seat, and says that no seat is left', async () => {
    const { user } = await opened(1);
    await user.type(screen.getByLabelText('E-mail address'), 'erik@northwind.example');
    await user.click(screen.getByText('take'));
    expect(screen.getByLabelText('E-mail address')).toHaveValue('erik@northwind.example');
    expect(screen.getByText('8 of 8 users are taken. No more can join.')).toBeVisible();
  });

  it('shows the form after a seat becomes free', async () => {
    const { user } = await opened(0);
    expect(screen.queryByLabelText('E-mail address')).toBeNull();
    await user.click(screen.getByText('free'));
    expect(screen.getByLabelText('E-mail address')).toBeVisible();
  });
});
