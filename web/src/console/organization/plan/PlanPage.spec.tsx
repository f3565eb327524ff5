import { act, screen, waitFor, within } from '@testing-library/react';
import type { Catalogue } from '@charter/client';
import { answering, people, sampleEntitlements } from '../../../../../test/journeys/pages/samples';
import { ownersPreview } from '../../../../../test/journeys/pages/samples/previews';
import { nextFrames, saying } from '../../open.testing';
import { openOrganization } from '../open-organization.testing';

const rowOf = async (name: string) => within((await screen.findByRole('rowheader', { name })).closest('tr')!);
const asMember = {
  status: 200,
  data: { organization: 'x', roles: ['member'], may: [], reads: ['document'], grants: [] },
};

describe('The plan page', () => {
  it("shows the terms as sold beside the terms in today's catalogue, and marks the differences", async () => {
    await openOrganization('/plan');
    const note = await screen.findByText('The terms as sold are those of event', { exact: false });
    const link = within(note).getByRole('link', { name: '#1,101 · Feb 3, 2025' });
    expect(link.getAttribute('href')).toMatch(/\/history\/1101$/);
    const matomo = await rowOf('Matomo integration');
    expect(matomo.getAllByText(/included/).map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([expect.stringContaining('not included'), expect.stringContaining('differs')]),
    );
    expect((await rowOf('Users')).queryByText('differs')).toBeNull();
  });

  it('says so if the terms as sold are unavailable, and loads them again after a press of the button', async () => {
    let isFailing = true;
    const { user } = await openOrganization('/plan', ({ url, params }) =>
      isFailing && url.endsWith('/events') && params['from'] === '1101' ? { status: 500 } : undefined,
    );
    const note = within(await screen.findByText('The terms as sold are unavailable.'));
    isFailing = false;
    await user.click(note.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('columnheader', { name: 'As sold' })).toBeVisible();
    expect(screen.queryByText('The terms as sold are unavailable.')).toBeNull();
    expect(screen.getByRole('heading', { name: 'Pulse Teams' })).toHaveFocus();
  });

  it('keeps the terms as sold if only a later request for them fails, and does not call them unavailable', async () => {
    let isFailing = false;
    const { sent } = await openOrganization('/plan', ({ url, params }) =>
      isFailing && url.endsWith('/events') && params['from'] === '1101' ? { status: 500 } : undefined,
    );
    await screen.findByRole('columnheader', { name: 'As sold' });
    isFailing = true;
    sent.length = 0;
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(sent.some(({ params }) => params['from'] === '1101')).toBe(true));
    await nextFrames();
    expect(screen.getByRole('columnheader', { name: 'As sold' })).toBeVisible();
    expect(screen.queryByText('The terms as sold are unavailable.')).toBeNull();
  });

  it('has a button above the plans that moves the focus to the form for a change, and keeps the tried change', async () => {
    const { user, address } = await openOrganization('/plan?try=additionalUser:4');
    const button = await screen.findByRole('button', { name: 'Try a change' });
    const plans = await screen.findByRole('heading', { level: 2, name: 'Pulse Teams' });
    expect(button.compareDocumentPosition(plans)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    button.focus();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('heading', { level: 2, name: 'Try a change' })).toHaveFocus();
    expect(address()).toBe('/plan?try=additionalUser:4');
  });

  it('has no such button if the catalogue, and so the form, is unavailable', async () => {
    await openOrganization('/plan', ({ url }) => (url.endsWith('/catalogue') ? { status: 500 } : undefined));
    expect(await screen.findByRole('heading', { level: 2, name: 'Pulse Teams' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Try a change' })).toBeNull();
  });

  it('has no such button at a past moment', async () => {
    await openOrganization('/plan?asOf=1191');
    expect(await screen.findByRole('region', { name: 'Try a change' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Try a change' })).toBeNull();
  });

  it('explains the product lines in the form for a change', async () => {
    await openOrganization('/plan');
    const form = within(await screen.findByRole('region', { name: 'Try a change' }));
    expect(form.getByText(/An organization can hold one plan of each product line\./)).toBeVisible();
  });

  it("has a link to preview today's terms of the plan if they differ from the terms as sold", async () => {
    const { user, address, sent } = await openOrganization('/plan', ({ url }) =>
      url.endsWith('/preview') ? { status: 200, data: ownersPreview } : undefined,
    );
    await user.click(await screen.findByRole('link', { name: "Preview today's terms of Pulse Teams" }));
    expect(address()).toBe('/plan?try=second%2Fteams');
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Effect of the change' })).toHaveFocus());
    const assignment = { type: 'AssignPlan', data: { line: 'second', plan: 'teams', terms: 'today' } };
    const previews = sent.filter(({ url }) => url.endsWith('/preview'));
    expect(previews.map(({ body }) => body)).toEqual([{ commands: [assignment] }]);
  });

  it("has no link to preview today's terms if they equal the terms as sold", async () => {
    const call = { method: 'GET', path: '/api/v1/catalogue', body: undefined, xsrf: '' };
    const { body } = answering(people.ada)(call) as Readonly<{ body: Catalogue }>;
    const { terms } = body.plans.find(({ line, plan }) => line === 'second' && plan === 'teams')!;
    const sale = { revision: 1101, type: 'PlanAssigned', data: { line: 'second', plan: 'teams', terms } };
    await openOrganization('/plan', ({ url, params }) =>
      url.endsWith('/events') && params['from'] === '1101' ? { status: 200, data: { events: [sale] } } : undefined,
    );
    expect(await screen.findByRole('columnheader', { name: 'As sold' })).toBeVisible();
    expect(screen.queryByText('differs')).toBeNull();
    expect(screen.queryByRole('link', { name: /^Preview today's terms/ })).toBeNull();
  });

  it("has no link to preview today's terms while the page shows the past", async () => {
    await openOrganization('/plan?asOf=1191');
    expect(await screen.findAllByText('differs')).not.toHaveLength(0);
    expect(screen.queryByRole('link', { name: /^Preview today's terms/ })).toBeNull();
  });

  it('lists add-ons with what each unit grants, and the service level with its features', async () => {
    await openOrganization('/plan');
    const addOns = within(await screen.findByRole('region', { name: 'Add-ons' }));
    expect(addOns.getByText('User × 3')).toBeVisible();
    expect(await addOns.findByText('Each unit today: Users: 1')).toBeVisible();
    const level = within(screen.getByRole('region', { name: 'Service level' }));
    expect(level.getByText('Assisted')).toBeVisible();
    expect(await level.findByText('Chat support')).toBeVisible();
  });

  it('has a link to all earlier values of the plan, of each add-on and of the service level', async () => {
    await openOrganization('/plan');
    for (const [name, path] of [
      ['Pulse Teams', '%2Fplans%2Fsecond'],
      ['User', '%2FaddOns%2Fa'],
      ['Service level', '%2FserviceLevel'],
    ] as const) {
      const link = await screen.findByRole('link', { name: `All values (${name})` });
      expect(link.getAttribute('href')).toContain(`/changes?path=${path}`);
    }
  });

  it('says since when an add-on has been in force, even if its event was recorded later', async () => {
    await openOrganization('/plan');
    const addOn = within((await screen.findByText('User × 3')).closest('li')!);
    expect(addOn.getByText(saying('since Mar 1, 2025'))).toBeVisible();
    expect(addOn.getByText(saying('#1,140 · Mar 4, 2025'))).toBeVisible();
  });

  it("marks the organization's plan in today's catalogue", async () => {
    await openOrganization('/plan');
    expect(await screen.findAllByText('held')).toHaveLength(1);
    expect(screen.getByRole('rowheader', { name: 'Pulse Teams held' })).toBeVisible();
  });

  it("marks what differs between the page's moment and the present", async () => {
    await openOrganization('/plan?asOf=1191');
    expect(await screen.findByText('none (now Assisted)')).toBeVisible();
    expect(screen.getAllByText('added later')).toHaveLength(2);
  });

  it('sends no request for events if the member may not audit, and says that the terms as sold are in the history', async () => {
    const { sent } = await openOrganization('/plan', ({ url }) => (url.endsWith('/standing') ? asMember : undefined));
    expect(await screen.findByText(/^The terms as sold are in the history/)).toBeVisible();
    expect(sent.filter(({ url }) => url.endsWith('/events'))).toEqual([]);
    expect(screen.queryByText('differs')).toBeNull();
  });

  it.each([
    ['nothing is limited, if there never was a plan', 'none', 'No plan yet. Without a plan nothing is limited.'],
    ['the limits of an ended plan still count', 'plan', 'No plan. The limits of the last plan still count.'],
  ])('says, if the organization has no plan, that %s', async (_, kind, said) => {
    const reason = { kind, what: 'second/teams', amount: null, event: 0, at: '2026-01-01T00:00:00.000Z' };
    const limits = Object.fromEntries(
      Object.entries(sampleEntitlements.limits).map(([name, limit]) => [name, { ...limit, because: [reason] }]),
    );
    const since = { plans: { first: null, second: null }, serviceLevel: { event: 0, at: '2026-01-01T00:00:00.000Z' } };
    const none = {
      since,
      plans: { first: null, second: null },
      addOns: [],
      serviceLevel: 'none',
      members: [],
      sites: [],
      qualityAssurance: { domains: [] },
      webAnalytics: { domains: [] },
    };
    await openOrganization('/plan', ({ url }) => {
      if (url.endsWith('/entitlements')) return { status: 200, data: { ...sampleEntitlements, limits } };
      return /organizations\/[^/]+$/.test(url)
        ? { status: 200, data: { name: 'Acme', closed: false, ...none } }
        : undefined;
    });
    expect(await screen.findByText(said)).toBeVisible();
    expect(screen.getByText('No add-ons.')).toBeVisible();
  });
});
