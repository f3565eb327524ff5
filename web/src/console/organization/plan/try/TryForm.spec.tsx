import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { NORTHWIND, rightsOf } from '../../../../../../test/journeys/pages/samples';
import {
  assignSolo,
  ownersPreview,
  pastPreview,
  refusedPreview,
} from '../../../../../../test/journeys/pages/samples/previews';
import { readDraft } from '../../../draft/address/read-draft';
import { announcements } from '../../../announcements.testing';
import type { ConsoleReply, SentRequest } from '../../../open.testing';
import { openOrganization } from '../../open-organization.testing';

const previewing = ({ url }: SentRequest) =>
  url.endsWith('/preview') ? { status: 200, data: ownersPreview } : undefined;
const asOperator = (request: SentRequest) =>
  request.url.endsWith('/standing')
    ? {
        status: 200,
        data: { organization: NORTHWIND, roles: ['operator'], may: ['AssignPlan'], reads: ['document'], grants: [] },
      }
    : previewing(request);
const previewsIn = (sent: readonly SentRequest[]) => sent.filter(({ url }) => url.endsWith('/preview'));

describe('The form for trying a plan', () => {
  it('shows the effect of another plan and announces it once, without a change of the organization, and stores the choice in the address', async () => {
    const { user, address, sent, back } = await openOrganization('/plan', previewing);
    expect(await screen.findByText('Nothing is tried yet.')).toBeVisible();
    const announced = announcements();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Second line' }), 'Pulse Solo');
    expect(address()).toBe('/plan?try=second%2Fsolo');
    const effect = within(await screen.findByRole('region', { name: 'Effect of the change' }));
    expect(await effect.findByText(/^7 are here: over by 5/)).toBeVisible();
    expect(announced).toEqual([expect.stringMatching(/^1 feature lost, 1 limit changes, no feature gained\./)]);
    expect(effect.getByText('Assign Pulse Solo')).toBeVisible();
    expect(previewsIn(sent).map(({ body }) => body)).toEqual([{ commands: [assignSolo] }]);
    expect(sent.filter(({ url }) => url.endsWith('/commands'))).toEqual([]);
    await back();
    expect(await screen.findByText('Nothing is tried yet.')).toBeVisible();
  });

  it('tries the plan, the add-ons and the service level in the address together', async () => {
    const { sent } = await openOrganization('/plan?try=second/solo,additionalUser:1,service:none', previewing);
    await screen.findByRole('region', { name: 'Effect of the change' });
    await waitFor(() => expect(previewsIn(sent)).toHaveLength(1));
    expect(previewsIn(sent)[0]!.body).toEqual({
      commands: [
        assignSolo,
        { type: 'ChangeQuantity', data: { purchase: 'a', quantity: 1 } },
        { type: 'AssignServiceLevel', data: { serviceLevel: 'none' } },
      ],
    });
  });

  it('lets a person empty the field of a quantity and type another quantity', async () => {
    const { user, address } = await openOrganization('/plan', previewing);
    const field = await screen.findByRole('spinbutton', { name: 'User' });
    await user.clear(field);
    expect(field).toHaveDisplayValue('');
    await user.type(field, '2');
    expect(field).toHaveDisplayValue('2');
    expect(address()).toBe('/plan?try=additionalUser%3A2');
    await user.clear(field);
    await user.tab();
    expect(field).toHaveDisplayValue('3');
  });

  it.each([
    ['spinbutton', 'User', '2'],
    ['combobox', 'Second line', 'solo'],
  ] as const)('shows a new value at once, before the address contains it: %s', async (role, name, value) => {
    const { address } = await openOrganization('/plan', previewing);
    const field = await screen.findByRole(role, { name });
    const shown = { address: '', value: '' };
    act(() => {
      fireEvent.change(field, { target: { value } });
      Object.assign(shown, { address: address(), value: (field as HTMLInputElement).value });
    });
    expect(shown).toEqual({ address: '/plan', value });
    expect(address()).toMatch(/^\/plan\?try=/);
    expect(field).toHaveValue(role === 'spinbutton' ? Number(value) : value);
  });

  it('keeps both choices if the person makes the second before the address has changed', async () => {
    const { address } = await openOrganization('/plan', previewing);
    const [line, user] = [
      await screen.findByRole('combobox', { name: 'Second line' }),
      screen.getByRole('spinbutton', { name: 'User' }),
    ];
    act(() => {
      fireEvent.change(line, { target: { value: 'solo' } });
      fireEvent.change(user, { target: { value: '2' } });
    });
    expect(address()).toBe('/plan?try=second%2Fsolo%2CadditionalUser%3A2');
  });

  it.each(['10000', '1.5', '-1'])(
    'says that %s is not a valid quantity, and does not change the address',
    async (typed) => {
      const { user, address } = await openOrganization('/plan', previewing);
      const field = await screen.findByRole('spinbutton', { name: 'User' });
      await user.clear(field);
      await user.type(field, typed);
      expect(field).toHaveDisplayValue(typed);
      expect(field).toBeInvalid();
      expect(field).toHaveAccessibleDescription('Type a whole number from 0 to 9,999.');
      expect(address()).toBe('/plan');
    },
  );

  it('copies a link to a draft if an owner cannot buy online, because then only operators can apply the change', async () => {
    const { user } = await openOrganization('/plan?try=second/solo', previewing);
    expect(await screen.findByText(/^An operator can apply this change\. Send this link/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Apply…' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    await screen.findByText('Copied.');
    const { pathname, hash } = new URL(await navigator.clipboard.readText());
    expect(pathname).toBe(`/org/${NORTHWIND}/draft`);
    expect(await readDraft(hash)).toEqual({ commands: [assignSolo] });
  });

  it('copies a link to the plan page with the same choice for an administrator, because an owner may buy the tried change', async () => {
    const { user } = await openOrganization('/plan?valid=2099-01-01T00:00:00Z&try=second/solo', (request) =>
      request.url.endsWith('/standing') ? { status: 200, data: rightsOf.admin } : previewing(request),
    );
    await user.click(await screen.findByRole('button', { name: 'Copy link' }));
    await screen.findByText('Copied.');
    const { pathname, search, hash } = new URL(await navigator.clipboard.readText());
    expect([pathname, search, hash]).toEqual([`/org/${NORTHWIND}/plan`, '?try=second%2Fsolo', '']);
  });

  it('says to an administrator, who can neither buy nor apply the change, that owners can buy it and operators can apply it', async () => {
    await openOrganization('/plan?try=second/solo', (request) =>
      request.url.endsWith('/standing') ? { status: 200, data: rightsOf.admin } : previewing(request),
    );
    expect(await screen.findByText(/^An owner can buy plans and add-ons .* An operator can apply each/)).toBeVisible();
  });

  it('marks the plans and add-ons that are not sold online, for a person who can buy online', async () => {
    const buyer = { ...rightsOf.owner, may: [...rightsOf.owner.may, 'StartCheckout'] };
    await openOrganization('/plan', (request) =>
      request.url.endsWith('/standing') ? { status: 200, data: buyer } : previewing(request),
    );
    const second = await screen.findByRole('combobox', { name: 'Second line' });
    await waitFor(() =>
      expect(within(second).getByRole('option', { name: 'Pulse Light (not sold online)' })).toBeVisible(),
    );
    expect(within(second).getByRole('option', { name: 'Pulse Solo' })).toBeVisible();
    expect(screen.getByRole('spinbutton', { name: 'Web analytics (not sold online)' })).toBeVisible();
    expect(screen.getByRole('spinbutton', { name: 'User' })).toBeVisible();
  });

  it('shows the link to the draft if the browser does not copy the link', async () => {
    const { user } = await openOrganization('/plan?try=second/solo', previewing);
    const button = await screen.findByRole('button', { name: 'Copy link' });
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    await user.click(button);
    const shown = await screen.findByText(/\/draft#draft=/);
    expect(await readDraft(new URL(shown.textContent).hash)).toEqual({ commands: [assignSolo] });
  });

  it('shows no refusal of the previous choice beside a command of the new choice', async () => {
    const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
    const replies = [
      { status: 200, data: { ...ownersPreview, refused: { ...refusedPreview.refused, index: 0 } } },
      promise,
    ];
    const { user, sent } = await openOrganization('/plan?try=second/solo', (request) =>
      request.url.endsWith('/preview') ? replies.shift() : undefined,
    );
    expect(await screen.findByText('This person is the last owner.')).toBeVisible();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Second line' }), 'Pulse Light');
    await waitFor(() => expect(previewsIn(sent)).toHaveLength(2));
    expect(screen.queryByText('This person is the last owner.')).toBeNull();
    resolve({ status: 200, data: ownersPreview });
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'Effect of the change' })).not.toHaveAttribute('aria-busy', 'true'),
    );
  });

  it('lets an operator open a draft with the tried change', async () => {
    const { user, address } = await openOrganization('/plan?try=second/solo', asOperator);
    await user.click(await screen.findByRole('button', { name: 'Apply…' }));
    await waitFor(() => expect(address()).toMatch(/^\/draft#draft=/));
  });

  it('shows the effect of a plan at a past moment, without a button to apply the plan', async () => {
    const { sent } = await openOrganization('/plan?asOf=1191&try=second/solo', (request) =>
      request.url.endsWith('/preview') ? { status: 200, data: pastPreview } : asOperator(request),
    );
    await screen.findByRole('region', { name: 'Effect of the change' });
    await waitFor(() => expect(previewsIn(sent)).toHaveLength(1));
    expect(previewsIn(sent)[0]!.params).toEqual({ lenient: 'true', asOf: '1191' });
    expect(screen.queryByRole('button', { name: 'Apply…' })).toBeNull();
  });
});
