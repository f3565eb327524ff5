import { act, screen } from '@testing-library/react';
import { NORTHWIND } from '../../../../test/journeys/pages/samples';
import type { ConsoleReply, SentRequest } from '../open.testing';
import { openOrganization } from '../organization/open-organization.testing';

const ASKING_MS = 10_000;
const isCheckout = ({ url }: SentRequest) => url.endsWith('/checkout/cs_live_a1');
const open = {
  ...{ id: 'cs_live_a1', state: 'open', expires: '2026-11-24T10:00:00.000Z' },
  ...{ granted: null, message: null, late: false },
};
const answer = (fields: object): ConsoleReply => ({ status: 200, data: { ...open, url: null, ...fields } });
const waiting = (reason: string | null, more: object = {}) =>
  answer({ state: 'waiting', message: { id: 'evt_1', received: open.expires, reason }, ...more });

/** Opens the page after a payment. `reply` returns the answer to each request for the state of the checkout. */
const opening = (query: string, reply: () => ConsoleReply) =>
  openOrganization(`/checkout${query}`, (request) => (isCheckout(request) ? reply() : undefined));
const SESSION = '?session=cs_live_a1';
const heading = (name: string) => screen.findByRole('heading', { level: 2, name });

describe('The page after a payment', () => {
  afterEach(() => jest.useRealTimers());

  it('asks the service until an event grants the purchase, and then sends no more requests', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    let reply = answer({ state: 'paid' });
    const { sent } = await opening(SESSION, () => reply);
    expect(await heading('Paid. The message of the payment provider has not arrived yet.')).toBeVisible();
    reply = answer({ state: 'granted', granted: { revision: 1284 } });
    await act(() => jest.advanceTimersByTimeAsync(ASKING_MS));
    expect(await heading('Granted')).toBeVisible();
    const event = screen.getByRole('link', { name: '#1,284' });
    expect(event.getAttribute('href')).toBe(`/org/${NORTHWIND}/history/1284`);
    const before = sent.filter(isCheckout).length;
    await act(() => jest.advanceTimersByTimeAsync(3 * ASKING_MS));
    expect(sent.filter(isCheckout)).toHaveLength(before);
  });

  it('tells the owner not to pay again if the message of the payment provider is late', async () => {
    await opening(SESSION, () => answer({ state: 'paid', late: true }));
    expect(await heading('Paid. The message of the payment provider is late.')).toBeVisible();
    expect(screen.getByText(/^Do not pay again\. If the service/)).toBeVisible();
    expect(screen.queryByText(/You can also close the page/)).toBeNull();
  });

  it.each([
    ['unknown-price', 'The message contains a price that is not in our catalogue.'],
    ['organization-closed', 'The organization is closed.'],
    [null, 'The message has arrived, and it is not applied yet.'],
  ])('says why Charter has not applied the message of the payment provider yet: %s', async (reason, words) => {
    await opening(SESSION, () => waiting(reason));
    expect(await heading('Paid, and not granted yet')).toBeVisible();
    expect(screen.getByText(words)).toBeVisible();
    expect(screen.getByText(/^Do not pay again\. If the service/)).toBeVisible();
  });

  it('promises no grant if an operator has dismissed the message of the payment provider', async () => {
    await opening(SESSION, () => waiting('dismissed'));
    expect(await screen.findByText(/An operator has decided not to apply the message/)).toBeVisible();
    expect(screen.queryByText(/^Do not pay again\. If the service/)).toBeNull();
  });

  it('links to the event that granted one part of the purchase while the other parts wait', async () => {
    await opening(SESSION, () => waiting('unknown-price', { granted: { revision: 1284 } }));
    expect(await screen.findByText('A part is granted with event', { exact: false })).toBeVisible();
    expect(screen.getByRole('link', { name: '#1,284' })).toBeVisible();
  });

  it('links to the page of the payment provider while nothing is paid, even after the person has cancelled', async () => {
    const url = 'https://checkout.stripe.com/c/pay/cs_live_a1';
    await opening(`${SESSION}&cancelled=true`, () => answer({ url }));
    expect(await heading('You came back without a payment. Nothing was bought.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Continue to the payment' })).toHaveAttribute('href', url);
  });

  it('shows the purchase as paid if the service says so, even if the return address contains “cancelled”', async () => {
    await opening(`${SESSION}&cancelled=true`, () => answer({ state: 'paid' }));
    expect(await heading('Paid. The message of the payment provider has not arrived yet.')).toBeVisible();
  });

  it.each<[string, ConsoleReply]>([
    ['The payment page has expired, or the payment has failed. Nothing was bought.', answer({ state: 'expired' })],
    ['Only owners can see the payments of an organization.', { status: 403, data: { type: '/problems/not-allowed' } }],
    ['This organization has no such payment.', { status: 404, data: { type: '/problems/no-such-checkout' } }],
  ])('says: %s', async (words, reply) => {
    await opening(SESSION, () => reply);
    expect(await heading(words)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to the plan' })).toBeVisible();
  });

  it.each(['', '?session=sub_1', '?session=cs_a/../b', '?session={CHECKOUT_SESSION_ID}'])(
    'sends no request if the address contains no valid id of a payment: %s',
    async (query) => {
      const { sent } = await opening(query, () => answer({}));
      expect(await heading('This organization has no such payment.')).toBeVisible();
      expect(sent.filter(({ url }) => url.includes('/checkout'))).toEqual([]);
    },
  );
});
