import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { timeZone } from '../../../choices/time-zone';
import type { SentRequest } from '../../open.testing';
import { address, at, heading, openBar, organization, opensSlider, service, timeline } from './renamed-history.testing';

const minuteOf = (revision: number) => String(Date.parse(at(revision)) / 60_000);
const atEvent = async (search = '?asOf=1191', answer: Parameters<typeof openBar>[1] = service, place = 'overview') => {
  const opened = await openBar(search, answer, place);
  await screen.findByText(/s recorded by #/, { selector: 'strong' });
  return { ...opened, slider: await opensSlider() };
};
const byTime = async (answer: Parameters<typeof openBar>[1] = service) => {
  const opened = await atEvent('?asOf=1191', answer);
  await opened.user.click(screen.getByRole('radio', { name: 'By time' }));
  return { ...opened, slider: await screen.findByRole('slider', { name: 'Moment of recording' }) };
};
/** Closes the bar, and opens it again. */
const reopens = async (user: UserEvent) => {
  for (let press = 0; press < 2; press += 1) await user.click(screen.getByRole('button', { name: 'Look back' }));
};
const asOf = (revision: number) => `?asOf=${encodeURIComponent(at(revision))}`;
const withTimeline = (change: object) => (request: SentRequest) =>
  request.url === `${organization}/timeline` ? { status: 200, data: { ...timeline, ...change } } : service(request);

/**
 * A service that answers some requests only after `release`. Requests without an answer would block the requests of
 * later tests.
 */
function holding(isHeld: (request: SentRequest) => boolean) {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const answer = async (request: SentRequest) => {
    if (isHeld(request)) await promise;
    return service(request);
  };
  return { answer, release: () => act(async () => resolve(undefined)) };
}

beforeEach(() => localStorage.clear());

describe('The slider by event', () => {
  it.each([
    ['PageDown', false, 1202], // 1,284 events in 120 bins: 11 events each
    ['PageUp', false, 1180],
    ['ArrowRight', true, 1201],
    ['ArrowLeft', true, 1181],
    ['ArrowLeft', false, 1190],
  ])('moves after the key %s (with Shift: %p) to event %p', async (key, shiftKey, revision) => {
    const { slider } = await atEvent();
    fireEvent.keyDown(slider, { key, shiftKey });
    await waitFor(() => expect(address()).toBe(`?asOf=${revision}`));
  });

  it('goes no further than the first event and the present', async () => {
    const { slider } = await atEvent('?asOf=3');
    fireEvent.keyDown(slider, { key: 'PageUp' });
    await waitFor(() => expect(address()).toBe('?asOf=0'));
    fireEvent.change(slider, { target: { value: '1280' } });
    await waitFor(() => expect(address()).toBe('?asOf=1280'));
    fireEvent.keyDown(slider, { key: 'PageDown' });
    await waitFor(() => expect(address()).toBe(''));
  });
});

describe('The slider by time', () => {
  it('moves the page to the last event at or before the chosen minute, and requests the bins by time', async () => {
    const { slider, sent } = await byTime();
    expect(sent.findLast(({ url }) => url.endsWith('/timeline'))!.params).toEqual({ axis: 'time' });
    expect(slider).toHaveAttribute('min', minuteOf(0));
    expect(slider).toHaveValue(minuteOf(1191));
    fireEvent.change(slider, { target: { value: minuteOf(700) } });
    await waitFor(() => expect(address()).toBe(asOf(700)));
    await waitFor(async () => expect(await heading()).toHaveTextContent(/^Name 700 /));
    expect(screen.queryByText(/no event at exactly/)).toBeNull();
    const shown = 'Jan 1, 2026, 11:40:00 AM UTC, event 700 of 1,283, Organization renamed';
    await waitFor(() => expect(slider).toHaveAttribute('aria-valuetext', shown), { timeout: 3_000 });
  });

  it('shows the minute and its event during a move, and the page follows before the service answers', async () => {
    const { answer, release } = holding(({ params }) => params['asOf']?.includes('T') === true);
    const { slider } = await byTime(answer);
    fireEvent.change(slider, { target: { value: minuteOf(700) } });
    await waitFor(async () => expect(await heading()).toHaveTextContent(/^Name 700 /));
    expect(screen.getByText(/^As recorded by #700, /)).toBeVisible();
    const shown = 'Jan 1, 2026, 11:40:00 AM UTC, event 700 of 1,283, Organization renamed';
    expect(screen.getByText(shown)).toBeVisible();
    await waitFor(() => expect(slider).toHaveAttribute('aria-valuetext', shown), { timeout: 3_000 });
    expect(address()).toBe('?asOf=1191'); // the service has not answered about the moment
    await release();
    await waitFor(() => expect(address()).toBe(asOf(700)));
  });

  it('shows the number of an event near the minute until the steps have loaded', async () => {
    const { answer, release } = holding(({ url }) => url === `${organization}/steps`);
    const { slider } = await byTime(answer);
    fireEvent.change(slider, { target: { value: minuteOf(700) } });
    expect(await screen.findByText('Jan 1, 2026, 11:40:00 AM UTC, near event 700')).toBeVisible();
    expect(await heading()).toHaveTextContent(/^Name 1191 /); // the page does not show an estimate
    await waitFor(() => expect(address()).toBe(asOf(700)));
    await release();
  });

  it('moves by events with the arrow keys, by bins with PgUp and PgDn, and shows the present at its right end', async () => {
    const { slider } = await byTime();
    fireEvent.keyDown(slider, { key: 'ArrowLeft' });
    await waitFor(() => expect(address()).toBe('?asOf=1190'));
    fireEvent.keyDown(slider, { key: 'ArrowLeft', shiftKey: true });
    await waitFor(() => expect(address()).toBe('?asOf=1180'));
    fireEvent.keyDown(slider, { key: 'PageUp' }); // a bin is longer than the time since the founding
    await waitFor(() => expect(address()).toBe(asOf(0)));
    fireEvent.change(slider, { target: { value: slider.getAttribute('max') } });
    await waitFor(() => expect(address()).toBe(''));
  });

  it('is still the chosen slider after the person has closed and opened the bar', async () => {
    const { user } = await byTime();
    await reopens(user);
    expect(await screen.findByRole('radio', { name: 'By time' })).toBeChecked();
  });

  it('ends with the year 9999, even if an override ends in its last minute', async () => {
    const ahead = [{ ...timeline.ahead[0]!, at: '9999-12-31T23:59:00.000Z' }];
    const { slider } = await atEvent(`?valid=${at(700)}`, withTimeline({ ahead }));
    fireEvent.change(slider, { target: { value: slider.getAttribute('max') } });
    await waitFor(() => expect(address()).toBe(`?valid=${encodeURIComponent('9999-12-31T23:59:00.000Z')}`));
  });

  it('has no choice “By event” while the page shows a moment in force', async () => {
    await atEvent(`?valid=${at(700)}`);
    expect(await screen.findByRole('slider', { name: 'Moment in force' })).toHaveValue(minuteOf(700));
    expect(screen.queryByRole('radio', { name: 'By event' })).toBeNull();
  });
});

it('The bar says that no event was recorded at a moment between two events', async () => {
  await openBar('?asOf=2026-01-01T11:40:30.000Z');
  expect(
    await screen.findByText(
      'Charter recorded no event at exactly Jan 1, 2026, 11:40:30 AM UTC. The last event before this moment counts.',
    ),
  ).toBeVisible();
  expect(screen.getByText(/^As recorded by #700, /)).toBeVisible();
});

const opensLegend = async (user: UserEvent) => user.click(await screen.findByText('Legend'));

describe('The picture of the history', () => {
  const kinds = (container: Element) =>
    [...container.querySelectorAll('[data-kind][data-dim]')].map((mark) => [
      mark.getAttribute('data-kind'),
      mark.getAttribute('data-dim'),
    ]);

  /** For each mark of a past event, whether it is dim. */
  const dimmed = (container: Element) =>
    kinds(container)
      .slice(0, 5)
      .map(([, isDim]) => isDim);

  it('has a mark for each kind of change, and for the known future change', async () => {
    const { container, user } = await atEvent();
    await opensLegend(user);
    expect(kinds(container).map(([kind]) => kind)).toEqual([
      ...['late', 'plan', 'limits', 'override', 'closing'],
      'override', // the end of the override
    ]);
    for (const meaning of ['in force from before it was recorded', 'last signed event'])
      expect(screen.getByText(meaning)).toBeVisible();
    const lane = within(container.querySelector<HTMLElement>('[data-lane=over]')!);
    expect(lane.getByText('Users')).toBeVisible();
  });

  it('has a legend that names the known future change, and says that nothing else is scheduled', async () => {
    const { user } = await atEvent();
    await opensLegend(user);
    expect(
      await screen.findByText(/The override ends at Dec 31, 2026.*UTC\. Nothing else is scheduled\.$/),
    ).toBeVisible();
  });

  it('has a legend that says that nothing is scheduled if no future change is known', async () => {
    const { user } = await atEvent('?asOf=1191', withTimeline({ ahead: [] }));
    await opensLegend(user);
    expect(await screen.findByText('Signed up to #1,280. Nothing is scheduled.')).toBeVisible();
  });

  it('dims the marks of all other groups if the person highlights a group, and still shows the same range', async () => {
    const { container, user, slider } = await atEvent();
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Highlight' }), 'Plan');
    expect(kinds(container)).toEqual([
      ...[['late', 'false'], ...['plan', 'limits', 'override', 'closing'].map((kind) => [kind, 'true'])],
      ['override', 'false'], // the future end of the override
    ]);
    expect([slider.getAttribute('min'), slider.getAttribute('max')]).toEqual(['0', '1283']);
  });

  it('dims the marks of events that do not match the filter in the address', async () => {
    const { container } = await atEvent('?asOf=1191&type=LimitsConfigured,OrganizationClosed');
    await screen.findByText(/Signed up to/);
    expect(kinds(container).slice(0, 5)).toEqual([
      ...[
        ['late', 'true'],
        ['plan', 'true'],
        ['limits', 'false'],
        ['override', 'true'],
        ['closing', 'false'],
      ],
    ]);
  });

  it('dims the marks of the event types that the filter in the address leaves out', async () => {
    const { container } = await atEvent('?asOf=1191&not-type=LimitsConfigured,OrganizationClosed');
    await screen.findByText(/Signed up to/);
    expect(dimmed(container)).toEqual(['false', 'false', 'true', 'false', 'true']);
  });

  it('dims the marks of events that do not have the actor and the subject in the address', async () => {
    const { container, sent } = await atEvent('?asOf=1191&actor=billing&about=/plans', (request) =>
      request.params['actor'] === undefined
        ? service(request)
        : { status: 200, data: { events: [{ revision: 900 }, { revision: 700 }], next: null } },
    );
    await waitFor(() => expect(dimmed(container)).toEqual(['false', 'true', 'false', 'true', 'true']));
    expect(sent.find(({ params }) => params['actor'] !== undefined)?.params).toEqual({
      ...{ actor: 'billing', about: '/plans', order: 'newest', limit: '100' },
      type: 'PlanAssigned,AddOnPurchased,LimitsConfigured,HardLimitsOverridden,OrganizationClosed',
    });
  });

  it('dims no mark before the oldest event that the service has found, if it has found only the newest events', async () => {
    const { container } = await atEvent('?asOf=1191&actor=billing', (request) =>
      request.params['actor'] === undefined
        ? service(request)
        : { status: 200, data: { events: [{ revision: 1000 }, { revision: 900 }], next: 'older' } },
    );
    await waitFor(() => expect(dimmed(container)).toEqual(['false', 'false', 'false', 'false', 'true']));
  });

  it('has labels with moments in the chosen time zone', async () => {
    const zone = jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions');
    zone.mockReturnValue({ timeZone: 'Pacific/Pago_Pago' } as Intl.ResolvedDateTimeFormatOptions); // UTC−11
    await atEvent();
    expect(await screen.findByText('10:42 AM')).toBeVisible();
    act(() => timeZone.choose('local'));
    expect(await screen.findByText('11:42 PM')).toBeVisible();
    act(() => timeZone.choose('utc'));
    zone.mockRestore();
  });

  it('has a table with the number of events in each part of the history', async () => {
    const { user } = await atEvent();
    await user.click(await screen.findByText('Show as table'));
    const table = await screen.findByRole('table', { name: 'Events in each part of the history' });
    const rows = [...(table as HTMLTableElement).rows].map((row) => [...row.cells].map((cell) => cell.textContent));
    expect(rows).toEqual([
      ['From', 'To', 'Events', 'Groups'],
      ['Jan 1, 2026, 12:00 AM UTC', 'Jan 1, 2026, 10:41 AM UTC', '642', 'Founding and closing: 1, Settings: 641'],
      ['Jan 1, 2026, 10:42 AM UTC', 'Jan 1, 2026, 9:23 PM UTC', '642', 'Plan: 1, Settings: 641'],
    ]);
  });
});

describe('The buttons of the time bar', () => {
  const buttons = () => within(screen.getByRole('toolbar', { name: 'Steps, play, comparison and link' }));

  it('are one tab stop; the arrow keys move the focus between them, also from the last button to the first', async () => {
    const { user } = await atEvent();
    const stops = () =>
      [...buttons().getAllByRole('button'), ...buttons().getAllByRole('combobox')].filter(
        ({ tabIndex }) => tabIndex === 0,
      );
    const previous = buttons().getByRole('button', { name: 'Previous event' });
    expect(stops()).toEqual([previous]);
    act(() => previous.focus());
    await user.keyboard('{ArrowRight}');
    expect(buttons().getByRole('button', { name: 'Next event' })).toHaveFocus();
    expect(stops()).toEqual([window.document.activeElement]);
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(buttons().getByRole('button', { name: 'Copy link' })).toHaveFocus();
    await user.keyboard('{ArrowRight}');
    expect(previous).toHaveFocus();
  });

  it('keep the focus at the first event, where the button for the previous event has no effect', async () => {
    const { user } = await atEvent('?asOf=1');
    const previous = buttons().getByRole('button', { name: 'Previous event' });
    await user.click(previous);
    await waitFor(() => expect(address()).toBe('?asOf=0'));
    expect(previous).toHaveFocus();
    expect(previous).toHaveAttribute('aria-disabled', 'true');
    await user.click(previous);
    expect(address()).toBe('?asOf=0');
  });

  it('move to the previous or next event, and to the previous or next change of the open page', async () => {
    const { user } = await atEvent('?asOf=1191', service, 'domains');
    await user.click(buttons().getByRole('button', { name: 'Previous event' }));
    await waitFor(() => expect(address()).toBe('?asOf=1190'));
    await user.click(buttons().getByRole('button', { name: 'Previous change of this page' }));
    await waitFor(() => expect(address()).toBe('?asOf=700'));
    await user.click(buttons().getByRole('button', { name: 'Next change of this page' }));
    await waitFor(() => expect(address()).toBe('?asOf=1250'));
  });

  it('offer no steps between the changes of the page on the overview, because each event can change the overview', async () => {
    await atEvent();
    expect(screen.queryByRole('button', { name: 'Next change of this page' })).toBeNull();
  });

  it('let a person compare the page with now, with another moment, or with nothing', async () => {
    const { user } = await atEvent();
    const side = buttons().getByRole('combobox', { name: 'Compare with' });
    expect(side).toHaveDisplayValue('now');
    await user.selectOptions(side, 'nothing');
    await waitFor(() => expect(address()).toBe('?asOf=1191&vs=none'));
    await user.selectOptions(side, 'another moment');
    const other = screen.getByLabelText('Compared moment, or #event');
    await user.type(other, '#1284');
    const compare = screen.getByRole('button', { name: 'Compare' });
    expect(compare).toHaveAttribute('aria-disabled', 'true'); // event #1,284 does not exist yet
    await user.clear(other);
    await user.type(other, '#1190{Enter}');
    await waitFor(() => expect(address()).toBe('?asOf=1191&vs=1190'));
    expect(side).toHaveDisplayValue('another moment');
    expect(await screen.findByRole('link', { name: 'Compare the two moments' })).toBeVisible();
    expect(screen.queryByLabelText('Compared moment, or #event')).toBeNull();
    expect(screen.getByRole('radio', { name: 'Recorded' })).toHaveFocus(); // the field had the focus
    await user.selectOptions(side, 'now');
    await waitFor(() => expect(address()).toBe('?asOf=1191'));
  });

  it('are one tab stop while the bar is closed; after “Back to now”, the focus is on the button “Look back”', async () => {
    const { user } = await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191, /);
    const closed = within(screen.getByRole('toolbar')).getAllByRole('button');
    expect(closed.map(({ tabIndex }) => tabIndex)).toEqual([0, -1]);
    act(() => closed[0]!.focus());
    await user.keyboard('{Enter}'); // presses the button “Back to now”
    await waitFor(() => expect(screen.getByRole('button', { name: 'Look back' })).toHaveFocus());
  });
});

describe('The hints of the time bar', () => {
  const explanation = () => screen.getByText(/^“Recorded” shows what Charter knew/);

  it('explain the questions about a moment the first three times, and later only at the press of “About the questions”', async () => {
    const { user } = await atEvent();
    expect(explanation()).toBeVisible();
    await reopens(user);
    await reopens(user);
    expect(explanation()).toBeVisible();
    await reopens(user);
    expect(explanation()).not.toBeVisible();
    await user.click(screen.getByText('About the questions'));
    expect(explanation()).toBeVisible();
  });

  it('say only at the first read of the past that the service records the read', async () => {
    const first = await openBar('?asOf=1191');
    expect(await screen.findByText(/^This is recorded: /)).toBeVisible();
    first.unmount();
    await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191, /);
    expect(screen.queryByText(/^This is recorded: /)).toBeNull();
  });

  it('say nothing about reads while the bar is closed at the present', async () => {
    await openBar();
    await screen.findByText(/^Now · #1,283/);
    expect(screen.queryByText(/^This is recorded: /)).toBeNull();
  });
});

describe('The words of the slider', () => {
  it('change only when the slider stays at one place, so that a screen reader does not read each step of a move', async () => {
    const { slider } = await atEvent();
    await waitFor(() => expect(slider).toHaveAttribute('aria-valuetext', expect.stringMatching(/^Event 1,191 of /)));
    const seen = new Set<string | null>();
    for (let value = 1190; value > 1180; value -= 1) {
      fireEvent.change(slider, { target: { value: String(value) } });
      seen.add(slider.getAttribute('aria-valuetext'));
    }
    expect(seen.size).toBe(1);
    await waitFor(() => expect(slider).toHaveAttribute('aria-valuetext', expect.stringMatching(/^Event 1,181 of /)), {
      timeout: 3_000,
    });
  });
});
