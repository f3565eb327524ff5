import { screen, waitFor, within } from '@testing-library/react';
import { NORTHWIND, rightsOf } from '../../../../test/journeys/pages/samples';
import { assignSolo, laterPreview, soloPreview } from '../../../../test/journeys/pages/samples/previews';
import type { ConsoleReply, SentRequest } from '../open.testing';
import { openOrganization } from '../organization/open-organization.testing';

const buyer = { ...rightsOf.owner, may: [...rightsOf.owner.may, 'StartCheckout'] };
const ends = ({ url }: SentRequest, end: string) => url.endsWith(end);
const checkoutsIn = (sent: readonly SentRequest[]) => sent.filter((one) => ends(one, '/checkout'));

/** Opens the page of a tried plan for an owner. The requests for a checkout get these replies in order. */
async function trying(path: string, ...replies: readonly ConsoleReply[]) {
  let preview: object | Promise<ConsoleReply> = soloPreview;
  const left = [...replies];
  const opened = await openOrganization(path, (request) => {
    if (ends(request, '/standing')) return { status: 200, data: buyer };
    if (ends(request, '/preview')) return preview instanceof Promise ? preview : { status: 200, data: preview };
    return ends(request, '/checkout') ? left.shift() : undefined;
  });
  const press = async () => {
    const button = await screen.findByRole('button', { name: 'Buy…' });
    await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'false')); // the preview may still load
    await opened.user.click(button);
  };
  return { ...opened, press, previews: (next: typeof preview) => void (preview = next) };
}
const refusal = (reason: string, facts: object = {}): ConsoleReply => ({
  ...{ status: 409, data: { type: `/problems/${reason}`, title: reason, status: 409, ...facts } },
});
const PROVIDER = '#the-page-of-the-provider';

afterEach(() => window.history.replaceState(null, '', '/'));

describe('The button that buys a tried plan', () => {
  it('sends exactly the shown commands with the `Idempotency-Key` of the preview, and opens the page of the payment provider', async () => {
    const path = '/plan?try=second/solo';
    const url = `${window.location.origin}/org/${NORTHWIND}${path}${PROVIDER}`;
    const started = { id: 'cs_1', url, expires: '2026-11-24T10:00:00.000Z' };
    const { sent, press } = await trying(path, { status: 201, data: started });
    await press();
    await waitFor(() => expect(window.location.hash).toBe(PROVIDER));
    const [preview] = sent.filter((one) => ends(one, '/preview'));
    expect(checkoutsIn(sent)).toMatchObject([
      { body: { commands: [assignSolo], shown: soloPreview.shown }, key: preview!.key },
    ]);
    expect(sent.filter((one) => ends(one, '/commands'))).toEqual([]);
  });

  it('is missing if a checkout cannot sell a command, and the page names each such command', async () => {
    const notSold = (['no-price', 'named-twice', 'nothing-new', 'not-by-checkout'] as const).map((why, index) => ({
      ...{ index, why },
    }));
    const answers: Readonly<Record<string, object>> = { standing: buyer, preview: { ...soloPreview, notSold } };
    await openOrganization('/plan?try=second/light,webAnalytics:2,additionalUser:2,service:turnkey', ({ url }) => {
      const data = answers[url.split('/').at(-1)!];
      return data && { status: 200, data };
    });
    const reason = await screen.findByText('You cannot buy some of these lines online.');
    const items = within(reason.nextElementSibling as HTMLElement).getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'Assign Pulse Light: the payment provider has no price for this',
      'Buy Web analytics × 1: another line buys the same',
      'Change the quantity of User to 2: the organization has this already',
      'Set the service level Turnkey: not sold online',
    ]);
    expect(screen.getByText('An operator can apply the change. Send this link to an operator.')).toBeVisible();
    expect(screen.queryByText(/^To change a subscription/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Buy…' })).toBeNull();
  });

  it('is missing if a subscription already pays for a command, and the page says where the owner can change this subscription', async () => {
    const paid = { ...soloPreview, notSold: [{ index: 0, why: 'paid-already' }] };
    await openOrganization('/plan?try=second/solo', (request) => {
      if (ends(request, '/standing')) return { status: 200, data: buyer };
      return ends(request, '/preview') ? { status: 200, data: paid } : undefined;
    });
    expect(await screen.findByText('Assign Pulse Solo: a subscription pays for this already')).toBeVisible();
    expect(screen.getByText(/^To change a subscription, use the customer portal/)).toBeVisible();
    expect(screen.queryByText(/^An operator can apply/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Buy…' })).toBeNull();
  });

  it('shows each command that the service refuses to sell, and sends a new `Idempotency-Key` at the next press', async () => {
    const notSold = refusal('not-sold-online', { items: [{ index: 0, why: 'paid-already' }] });
    const { sent, press } = await trying('/plan?try=second/solo', notSold, notSold);
    await press();
    const reason = await screen.findByText(/You cannot buy some of these lines online/);
    const alert = reason.closest<HTMLElement>('[role=alert]');
    expect(within(alert!).getByText(/^Assign Pulse Solo: a subscription pays for this already/)).toBeVisible();
    // The person may have paid in another tab.
    expect(alert).not.toHaveTextContent('You have paid nothing.');
    await press();
    await waitFor(() => expect(checkoutsIn(sent)).toHaveLength(2));
    const [first, second] = checkoutsIn(sent);
    expect(first!.key).not.toBe(second!.key);
  });

  it('shows the new effect if the effect has changed since the preview; the next press buys with this effect', async () => {
    const { sent, press, previews } = await trying('/plan?try=second/solo', refusal('not-as-shown'), refusal('x'));
    await screen.findByText(/^7 are here: over by 5/);
    previews(laterPreview);
    await press();
    expect(await screen.findByText(/The effect has changed since you saw it/)).toBeVisible();
    expect(await screen.findByText(/^8 are here: over by 6/)).toBeVisible();
    await press();
    await waitFor(() => expect(checkoutsIn(sent)).toHaveLength(2));
    expect(checkoutsIn(sent)[1]!.body).toMatchObject({ shown: laterPreview.shown });
  });

  it('keeps the focus, and the refusal stays, while the service computes the effect again, even if the new preview fails', async () => {
    const { press, previews } = await trying('/plan?try=second/solo', refusal('not-as-shown'));
    await screen.findByText(/^7 are here: over by 5/);
    const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
    previews(promise);
    await press();
    const reason = /The effect has changed since you saw it.*You have paid nothing/;
    expect(await screen.findByText(reason)).toBeVisible();
    const button = screen.getByRole('button', { name: 'Buy…' });
    expect(button).toHaveFocus();
    expect(button).toHaveAttribute('aria-disabled', 'true');
    resolve({ status: 500 });
    await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getByText(reason)).toBeVisible();
  });

  it('moves the focus to the heading if it disappears, because the new effect cannot be bought', async () => {
    const { press, previews } = await trying('/plan?try=second/solo', refusal('not-as-shown'));
    await screen.findByText(/^7 are here: over by 5/);
    previews({ ...soloPreview, notSold: [{ index: 0, why: 'paid-already' }] });
    await press();
    expect(await screen.findByText('Assign Pulse Solo: a subscription pays for this already')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Effect of the change' })).toHaveFocus();
    expect(screen.getByText(/The effect has changed since you saw it/)).toBeVisible();
  });

  it("sends the same request with the same `Idempotency-Key` again if the service's answer leaves the outcome open", async () => {
    const { sent, press } = await trying('/plan?try=second/solo', { status: 503 }, { status: 503 });
    await press();
    expect(
      await screen.findByText(/The service or the payment provider does not answer.*You have paid nothing/),
    ).toBeVisible();
    await press();
    await waitFor(() => expect(checkoutsIn(sent)).toHaveLength(2));
    const [first, second] = checkoutsIn(sent);
    expect(second).toEqual(first);
  });

  it('buys only the missing units of an add-on of which the organization already holds some units', async () => {
    const { sent, press } = await trying('/plan?try=additionalUser:5', refusal('not-as-shown'));
    await press();
    await waitFor(() => expect(checkoutsIn(sent)).toHaveLength(1));
    expect(checkoutsIn(sent)[0]!.body).toMatchObject({
      commands: [{ type: 'PurchaseAddOn', data: { addOn: 'additionalUser', quantity: 2 } }],
    });
  });
});

describe('A tried plan without the button that buys it', () => {
  it.each<[string, string, object, object]>([
    ['for an owner without a payment provider', '', rightsOf.owner, soloPreview],
    [
      'for an operator, who applies the plan',
      '',
      { ...rightsOf.operator, may: ['AssignPlan', 'StartCheckout'] },
      soloPreview,
    ],
    ['in the past', 'asOf=1191&', buyer, soloPreview],
    ['while the service refuses a line', '', buyer, { ...soloPreview, shown: undefined }],
    ['without an effect', '', buyer, { ...soloPreview, events: [] }],
  ])('is shown %s', async (_case, moment, standing, preview) => {
    await openOrganization(`/plan?${moment}try=second/solo`, (request) => {
      if (ends(request, '/standing')) return { status: 200, data: standing };
      return ends(request, '/preview') ? { status: 200, data: preview } : undefined;
    });
    await screen.findByText(/^7 are here: over by 5/);
    expect(screen.queryByRole('button', { name: 'Buy…' })).toBeNull();
  });

  it.each<[string, ConsoleReply | Promise<ConsoleReply>]>([
    ['before the effect has arrived', new Promise(() => undefined)],
    ['while the service cannot compute the effect', { status: 500 }],
  ])('is shown %s', async (_case, preview) => {
    const { sent } = await openOrganization('/plan?try=second/solo', (request) => {
      if (ends(request, '/standing')) return { status: 200, data: buyer };
      return ends(request, '/preview') ? preview : undefined;
    });
    await screen.findByRole('heading', { name: 'Effect of the change' });
    await waitFor(() => expect(sent.some((one) => ends(one, '/preview'))).toBe(true));
    await screen.findByRole('button', { name: 'Copy link' });
    expect(screen.queryByRole('button', { name: 'Buy…' })).toBeNull();
  });
});
