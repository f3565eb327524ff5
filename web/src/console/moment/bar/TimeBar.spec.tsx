import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { SentRequest } from '../../open.testing';
import {
  address,
  asksFor,
  at,
  heading,
  openBar,
  opensSlider,
  organization,
  presentEntitlements,
  service,
  settled,
  standing,
} from './renamed-history.testing';

describe('Time bar', () => {
  it('names the last event while the page shows the present, and does not change the page', async () => {
    await openBar();
    expect(await screen.findByText(/^Now · #1,283/)).toBeVisible();
    expect(await heading()).toHaveTextContent(/^Northwind GmbH$/);
    expect(window.document.documentElement).not.toHaveAttribute('data-past');
  });

  it('is hidden from members without the right to read the history', async () => {
    const { sent } = await openBar('', (request) =>
      request.url.endsWith('/standing')
        ? { status: 200, data: { ...standing, roles: ['member'], reads: ['document'] } }
        : service(request),
    );
    await heading();
    await waitFor(() => expect(asksFor(sent, '/standing')).toBe(1));
    await settled();
    expect(screen.queryByText(/^Now · #/)).toBeNull();
  });

  it('of a recorded past moment links to a draft that restores the state at this moment', async () => {
    await openBar('?asOf=1191');
    const link = await screen.findByRole('link', { name: 'Make it as it was here…' });
    expect(link).toHaveAttribute('href', `${organization.replace('/api/v1/organizations', '/org')}/draft?undo=to:1191`);
  });

  it.each([
    ['the present', '', /^Now · #1,283/],
    ['the values in force at a moment', `?valid=${at(700)}`, /^In force /],
    ['a moment that does not exist', '?asOf=9999', 'The history has no such event yet.'],
  ])('has no link to a restoring draft while the page shows %s', async (_, search, sentence) => {
    await openBar(search);
    await screen.findByText(sentence, { selector: 'section[aria-label=Time] *' });
    await settled();
    expect(screen.queryByRole('link', { name: 'Make it as it was here…' })).toBeNull();
  });

  it('moves the page to a typed moment, and shows each value beside the present value', async () => {
    const { user } = await openBar();
    await screen.findByText(/^Now · #1,283/);
    await user.keyboard('t');
    await user.type(await screen.findByLabelText('Moment, or #event'), '#1191');
    expect(screen.getByText('Read as event #1,191')).toBeVisible();
    await user.keyboard('{Enter}');
    expect(
      await screen.findByText('As recorded by #1,191, Organization renamed by billing · Jan 1, 2026, 7:51:00 PM UTC.'),
    ).toBeVisible();
    await waitFor(async () => expect(await heading()).toHaveTextContent('Name 1191 (now Northwind GmbH)'));
    expect(address()).toBe('?asOf=1191');
    expect(window.document.documentElement).toHaveAttribute('data-past');
    expect(screen.getAllByText(/^none \(now /)).toHaveLength(3); // no add-on had been bought yet
  });

  it.each(['#1191', '1 January 2026 19:51'])(
    'shows and announces no other event while the answer about %s loads',
    async (moment) => {
      const answers: (() => void)[] = [];
      const { user } = await openBar('', (request) =>
        request.params['asOf'] === undefined
          ? service(request)
          : new Promise((resolve) => {
              answers.push(() => resolve(service({ ...request, params: { asOf: '1191' } })));
            }),
      );
      await screen.findByText(/^Now · #1,283/);
      await user.keyboard('t');
      await user.type(await screen.findByLabelText('Moment, or #event'), `${moment}{Enter}`);
      await waitFor(() => expect(answers.length).toBeGreaterThan(0));
      await act(() => new Promise((resolve) => setTimeout(resolve, 600))); // longer than the pause before a message
      expect(screen.queryByText(/#1,283/)).toBeNull();
      await act(() => {
        for (const answer of answers) answer();
        return Promise.resolve();
      });
      expect(await screen.findAllByText(/^As recorded by #1,191, Organization renamed by billing/)).not.toHaveLength(0);
    },
  );

  it('names the event in the title of the browser tab', async () => {
    await openBar('?asOf=1191');
    await waitFor(() => expect(window.document.title).toBe('Overview at #1,191 · Name 1191 · Pulse'));
  });

  it('returns to the present when the person presses Escape twice', async () => {
    const { user } = await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191, /);
    await user.keyboard('{Escape}{Escape}');
    expect(await screen.findByText(/^Now · #1,283/)).toBeVisible();
    expect(address()).toBe('');
  });

  it('ignores single-key shortcuts while a person types', async () => {
    const { user } = await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191, /);
    await user.keyboard('t');
    await user.type(await screen.findByLabelText('Moment, or #event'), 'n');
    await settled();
    expect(address()).toBe('?asOf=1191');
  });

  it('moves event by event without requests, and asks the service once when the person stops moving', async () => {
    const { sent } = await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191, /);
    for (const key of '[[') fireEvent.keyDown(window.document.body, { key });
    await waitFor(async () => expect(await heading()).toHaveTextContent(/^Name 1189/));
    await settled();
    await waitFor(() => expect(address()).toBe('?asOf=1189'));
    expect(asksFor(sent, '/steps')).toBeLessThanOrEqual(3); // the block of the event, and the blocks on both sides
    const asked = sent.filter(({ url, params }) => url === organization && params['asOf'] !== undefined);
    expect(asked.map(({ params }) => params['asOf'])).toEqual(['1191', '1189']);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it("makes one entry of the browser's history for all moves in a row, so that Back leads to the moment before them", async () => {
    const { user } = await openBar();
    await screen.findByText(/^Now · #1,283/);
    await user.keyboard('t');
    await user.type(await screen.findByLabelText('Moment, or #event'), '#1191{Enter}{Escape}');
    await waitFor(() => expect(address()).toBe('?asOf=1191'));
    for (const revision of ['1190', '1189']) {
      fireEvent.keyDown(window.document.body, { key: '[' });
      await waitFor(() => expect(address()).toBe(`?asOf=${revision}`));
    }
    for (const search of ['?asOf=1191', '']) {
      fireEvent.click(screen.getByTestId('back'));
      await waitFor(() => expect(address()).toBe(search));
    }
  });

  it('adds no entry to the history of the browser if the page already shows the chosen moment', async () => {
    const { user } = await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191/);
    await user.keyboard('n');
    await waitFor(() => expect(address()).toBe(''));
    await user.keyboard('n');
    act(() => screen.getByTestId('back').click());
    await waitFor(() => expect(address()).toBe('?asOf=1191'));
  });

  it('stays at the present if the person presses `n` before the slider has come to rest', async () => {
    await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191, /);
    fireEvent.change(await opensSlider(), { target: { value: '1100' } });
    fireEvent.keyDown(window.document.body, { key: 'n' });
    await settled();
    await settled();
    expect(address()).toBe('');
    expect(await heading()).toHaveTextContent('Northwind GmbH');
  });

  it.each([
    ['beyond the last event', '?asOf=9999', 'The history has no such event yet.'],
    ['before the founding', '?asOf=1999-01-01T00:00:00Z', /^The organization was founded (later|on Mar 4, 2019)\.$/],
    ['on a day that does not exist', '?asOf=2026-02-30T00:00:00Z', 'The address contains no moment that exists.'],
    ['that is no date', '?valid=tomorrow', 'The address contains no moment that exists.'],
    ['of 10,000 digits', `?asOf=${'9'.repeat(10_000)}`, 'The address contains no moment that exists.'],
  ])('explains why there is no page for a moment %s, and offers to go to the founding', async (_, search, sentence) => {
    const { user } = await openBar(search);
    await waitFor(() => expect(screen.getAllByText(sentence)).toHaveLength(2)); // in the bar and on the page
    expect(screen.queryByText(/^As recorded by/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Go to the founding' }));
    await waitFor(async () => expect(await heading()).toHaveTextContent(/^Name 0/));
  });

  it('shows the state in force instead of the recorded state after the key v, and the recorded state after a second v', async () => {
    await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191, /);
    fireEvent.keyDown(window.document.body, { key: 'v' });
    await waitFor(() => expect(address()).toBe(`?valid=${encodeURIComponent(at(1191))}`));
    fireEvent.keyDown(window.document.body, { key: 'v' });
    await waitFor(() => expect(address()).toBe(`?asOf=${encodeURIComponent(at(1191))}`));
  });

  it('ends the comparison with the present after the key d, and starts it again after a second d', async () => {
    await openBar('?asOf=1191');
    await waitFor(async () => expect(await heading()).toHaveTextContent('Name 1191 (now Northwind GmbH)'));
    fireEvent.keyDown(window.document.body, { key: 'd' });
    await waitFor(async () => expect(await heading()).toHaveTextContent(/^Name 1191 at #1,191$/));
    expect(address()).toBe('?asOf=1191&vs=none');
    fireEvent.keyDown(window.document.body, { key: 'd' });
    await waitFor(() => expect(address()).toBe('?asOf=1191'));
  });

  it('moves the page of the domains only to events that changed the domains', async () => {
    await openBar('?asOf=1191', service, 'domains');
    await screen.findByText(/^As recorded by #1,191, /);
    fireEvent.keyDown(window.document.body, { key: '[' });
    await waitFor(() => expect(address()).toBe('?asOf=700'));
    fireEvent.keyDown(window.document.body, { key: ']' });
    await waitFor(() => expect(address()).toBe('?asOf=1250'));
    fireEvent.keyDown(window.document.body, { key: ']' });
    await settled();
    expect(address()).toBe('?asOf=1250'); // no later event changed the domains
  });

  it('moves forward one event a second until the person presses Pause', async () => {
    const { user } = await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191, /);
    await opensSlider();
    await user.click(screen.getByRole('button', { name: 'Play' }));
    await waitFor(() => expect(address()).toBe('?asOf=1192'));
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    const stopped = address();
    await act(() => new Promise((resolve) => setTimeout(resolve, 1_300)));
    expect(address()).toBe(stopped);
  });

  it('lists the marked events, the times over a limit, and the known future changes', async () => {
    const { user } = await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191, /);
    await opensSlider();
    await user.click(await screen.findByText('Legend'));
    expect(screen.getByText(/Signed up to #1,280\. The override ends at Dec 31, 2026/)).toBeVisible();
    await user.click(screen.getByText('Show as table'));
    expect(screen.getByText('Users: over the limit by up to 3, since #900')).toBeVisible();
    expect(screen.getByText('back-dated')).toBeVisible();
    await user.click(screen.getByRole('button', { name: '#700' }));
    await waitFor(() => expect(address()).toBe('?asOf=700'));
  });

  it('has a slider with steps of a minute while the page shows a moment in force, up to the last known future change', async () => {
    await openBar(`?valid=${at(700)}`);
    await screen.findByText(/In force at/);
    fireEvent.keyDown(window.document.body, { key: 't' });
    const slider = await screen.findByRole('slider', { name: 'Moment in force' });
    expect(Number(slider.getAttribute('max'))).toBeGreaterThan(Date.parse('2026-12-31T00:00:00.000Z') / 60_000);
    const minute = Date.parse(at(900)) / 60_000;
    fireEvent.change(slider, { target: { value: String(minute) } });
    await waitFor(() => expect(address()).toBe(`?valid=${encodeURIComponent(at(900))}`));
  });

  describe('with `valid` in the address', () => {
    const COMING = '2999-01-01T00:00:00.000Z';
    /** A service whose override of the hard limits ends before the coming moment. */
    const withUsers = (now: object, then: object) => (request: SentRequest) => {
      if (!request.url.endsWith('/entitlements')) return service(request);
      const users = { ...presentEntitlements.limits.users, ...(request.params['valid'] === undefined ? now : then) };
      return { status: 200, data: { ...presentEntitlements, limits: { users } } };
    };
    it.each([
      [
        'that hard limits apply again, and which limits are exceeded',
        { over: 3 },
        'Hard limits apply again: Users over by 3. ',
      ],
      [
        'that hard limits apply again, and no limit is exceeded',
        { over: 0 },
        'Hard limits apply again, and no limit is exceeded. ',
      ],
    ])('says %s, and that nothing else is scheduled', async (_, then, sentence) => {
      const answer = withUsers({ overridden: true, over: 0 }, { overridden: false, ...then });
      await openBar(`?valid=${COMING}`, answer);
      expect(await screen.findByText(`${sentence}Nothing else is scheduled.`)).toBeVisible();
    });

    it('says that nothing is scheduled if no override ends before a coming moment', async () => {
      await openBar(`?valid=${COMING}`);
      expect(await screen.findByText('Nothing is scheduled until this moment.')).toBeVisible();
    });

    it('does not say what is scheduled for a moment of the past', async () => {
      await openBar(`?valid=${at(700)}`);
      await screen.findByText(/^In force /, { selector: 'section[aria-label=Time] *' });
      await settled();
      expect(screen.queryByText(/scheduled/)).toBeNull();
    });
  });

  it('keeps `valid` in the address when the person steps from event to event, chooses a mark, or types an event', async () => {
    const valid = `valid=${encodeURIComponent(at(700))}`;
    const { user } = await openBar(`?${valid}`);
    await screen.findByText(/^In force at Jan 1, 2026, 11:40:00 AM UTC, as recorded by #1,283, /);
    await press('[');
    await waitFor(() => expect(address()).toBe(`?asOf=1282&${valid}`));
    expect(
      await screen.findByText(/^In force at .*, as recorded by #1,282, Organization renamed by billing/),
    ).toBeVisible();
    await press(']');
    await waitFor(() => expect(address()).toBe(`?${valid}`)); // without `asOf`, all events up to now count
    await press('t');
    expect(await screen.findByRole('radio', { name: 'In force' })).toBeChecked();
    await user.click(await screen.findByText('Show as table'));
    await user.click(screen.getByRole('button', { name: '#700' }));
    await waitFor(() => expect(address()).toBe(`?asOf=700&${valid}`));
    expect(screen.getByRole('radio', { name: 'Both' })).toBeChecked();
    await user.type(screen.getByLabelText('Moment, or #event'), '#650{Enter}');
    await waitFor(() => expect(address()).toBe(`?asOf=650&${valid}`));
    await user.type(screen.getByLabelText('Moment, or #event'), '2026-01-01 09:00{Enter}');
    await waitFor(() => expect(address()).toBe(`?asOf=650&valid=${encodeURIComponent('2026-01-01T09:00:00.000Z')}`));
    fireEvent.change(screen.getByRole('slider'), { target: { value: String(Date.parse(at(600)) / 60_000) } });
    await waitFor(() => expect(address()).toBe(`?asOf=650&valid=${encodeURIComponent(at(600))}`));
  });

  it("adds the event's moment to the address as `valid` after the choice “Both”, and removes `valid` after the key v", async () => {
    const { user } = await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191, /);
    await press('t');
    await user.click(await screen.findByRole('radio', { name: 'Both' }));
    await waitFor(() => expect(address()).toBe(`?asOf=1191&valid=${encodeURIComponent(at(1191))}`));
    (window.document.activeElement as HTMLElement).blur();
    await press('v');
    await waitFor(() => expect(address()).toBe('?asOf=1191'));
  });

  it('moves the page of the plan only to events about plans, add-ons, the service level and limits', async () => {
    const { sent } = await openBar('?asOf=1191', service, 'plan');
    await screen.findByText(/^As recorded by #1,191, /);
    await press('[');
    await waitFor(() =>
      expect(sent.flatMap(({ params }) => params['about'] ?? [])).toEqual([
        '/plans',
        '/addOns',
        '/serviceLevel',
        '/limits',
      ]),
    );
    await settled();
    expect(address()).toBe('?asOf=1191');
  });

  it('moves the page of the settings only to events about the settings on this page', async () => {
    const { sent } = await openBar('?asOf=1191', service, 'settings');
    await screen.findByText(/^As recorded by #1,191, /);
    await press(']');
    await waitFor(() =>
      expect(sent.flatMap(({ params }) => params['about'] ?? [])).toEqual([
        '/name',
        '/product',
        '/parallelUse',
        '/singleSignOn',
        '/closed',
        '/members',
      ]),
    );
  });
});

const press = (key: string) => act(() => fireEvent.keyDown(window.document.body, { key }));
