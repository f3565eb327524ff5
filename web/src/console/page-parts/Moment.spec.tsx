import { act, screen } from '@testing-library/react';
import { timeZone } from '../../choices/time-zone';
import { openOrganization } from '../organization/open-organization.testing';

const ZONE = 'Pacific/Pago_Pago'; // 11 hours behind UTC, so that events of the morning are on the day before

const shown = () => [...document.querySelectorAll('time')];
const dayOf = (moment: string, zone: string) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: zone }).format(new Date(moment));

describe('A moment on a page', () => {
  beforeEach(() => {
    jest
      .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
      .mockReturnValue({ timeZone: ZONE } as Intl.ResolvedDateTimeFormatOptions);
  });
  afterEach(() => {
    act(() => timeZone.choose('utc'));
    jest.restoreAllMocks();
  });

  it.each(['/overview', '/history/1191', '/plan', '/members', '/compare?from=1190&to=1283'])(
    'has the date in the chosen time zone, and the name of the zone beside each time of day: %s',
    async (path) => {
      await openOrganization(path);
      await screen.findByRole('heading', { level: 1 });
      await act(() => new Promise((loaded) => setTimeout(loaded, 300)));
      expect(shown().length).toBeGreaterThan(1);
      for (const [choice, zone, name] of [
        ['utc', 'UTC', 'UTC'],
        ['local', ZONE, 'GMT-11'],
      ] as const) {
        act(() => timeZone.choose(choice));
        for (const { textContent: text, dateTime } of shown()) {
          if (/\d:\d\d/.test(text)) expect(text).toMatch(new RegExp(`${name}$`));
          if (/\d{4}/.test(text)) expect(text).toContain(dayOf(dateTime, zone));
        }
      }
    },
  );
});
