import { act, screen, waitFor } from '@testing-library/react';
import { NORTHWIND, rightsOf } from '../../../../../test/journeys/pages/samples';
import { type ConsoleReply, nextFrames } from '../../open.testing';
import { openOrganization } from '../../organization/open-organization.testing';
import { TimeBarPlace } from './TimeBarPlace';

const place = () => screen.queryByText('place of the bar');
const bar = () => screen.queryByRole('region', { name: 'Time' });

/** Opens a page above which the time bar waits for an answer. Returns the function that sends this answer. */
async function waitingFor(path: string) {
  const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
  await openOrganization(
    '/members',
    ({ url }) => (url.endsWith(path) ? promise : undefined),
    <TimeBarPlace id={NORTHWIND} onScrub={() => undefined} waiting={<p>place of the bar</p>} />,
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

  it.each(['/standing', '/entitlements'])(
    'is not reserved while the page requests %s again after a failure',
    async (path) => {
      const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
      let answer: ConsoleReply | Promise<ConsoleReply> = { status: 500 };
      const { sent } = await openOrganization(
        '/members',
        ({ url }) => (url.endsWith(path) ? answer : undefined),
        <TimeBarPlace id={NORTHWIND} onScrub={() => undefined} waiting={<p>place of the bar</p>} />,
      );
      await waitFor(() => expect(place()).toBeNull());
      answer = promise;
      sent.length = 0;
      act(() => void window.dispatchEvent(new Event('online')));
      await waitFor(() => expect(sent.some(({ url }) => url.endsWith(path))).toBe(true));
      await nextFrames();
      expect(place()).toBeNull();
      await act(async () => resolve({ status: 500 }));
    },
  );

  it('is not reserved for a member without the right to audit, even while the service has not answered /entitlements', async () => {
    const unanswered = Promise.withResolvers<ConsoleReply>().promise;
    await openOrganization(
      '/members',
      ({ url }) =>
        url.endsWith('/entitlements')
          ? unanswered
          : url.endsWith('/standing')
            ? { status: 200, data: { ...rightsOf.owner, reads: ['document'] } }
            : undefined,
      <TimeBarPlace id={NORTHWIND} onScrub={() => undefined} waiting={<p>place of the bar</p>} />,
    );
    await waitFor(() => expect(place()).toBeNull());
    expect(bar()).toBeNull();
  });

  it('shows the time bar as soon as the service has answered', async () => {
    await openOrganization(
      '/members',
      undefined,
      <TimeBarPlace id={NORTHWIND} onScrub={() => undefined} waiting={<p>place of the bar</p>} />,
    );
    expect(await screen.findByRole('region', { name: 'Time' })).toBeVisible();
    expect(place()).toBeNull();
  });
});
