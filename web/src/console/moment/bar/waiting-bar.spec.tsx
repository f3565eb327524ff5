import { screen, waitFor } from '@testing-library/react';
import { NORTHWIND } from '../../../../../test/journeys/pages/samples';
import type { ConsoleReply } from '../../open.testing';
import { openOrganization } from '../../organization/open-organization.testing';
import TimeBar from './TimeBar';

const place = () => screen.queryByText('place of the bar');
const bar = () => screen.queryByRole('region', { name: 'Time' });

/** Opens a page above which the time bar waits for an answer. Returns the function that sends this answer. */
async function waitingFor(path: string) {
  const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
  await openOrganization(
    '/members',
    ({ url }) => (url.endsWith(path) ? promise : undefined),
    <TimeBar id={NORTHWIND} onScrub={() => undefined} waiting={<p>place of the bar</p>} />,
  );
  return resolve;
}

describe('The place of the time bar', () => {
  it.each(['/standing', '/entitlements'])('stays empty until the service has answered %s', async (path) => {
    const answer = await waitingFor(path);
    await screen.findByRole('heading', { level: 1 });
    expect(place()).toBeVisible();
    expect(bar()).toBeNull();
    answer({ status: 503 });
    await waitFor(() => expect(place()).toBeNull());
  });

  it('shows the time bar as soon as the service has answered', async () => {
    await openOrganization(
      '/members',
      undefined,
      <TimeBar id={NORTHWIND} onScrub={() => undefined} waiting={<p>place of the bar</p>} />,
    );
    expect(await screen.findByRole('region', { name: 'Time' })).toBeVisible();
    expect(place()).toBeNull();
  });
});
