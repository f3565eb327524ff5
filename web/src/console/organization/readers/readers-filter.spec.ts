import { dayOfFilter, filterOfDay, readersFilterIn } from './readers-filter';

describe('The filter of the list of readers', () => {
  it('covers one whole day in UTC, and the field shows this day', () => {
    const filter = filterOfDay('2026-11-22');
    const address = new URLSearchParams({ ...filter, asOf: '7' });
    expect(readersFilterIn(address)).toEqual({ from: '2026-11-22T00:00:00.000Z', to: '2026-11-22T23:59:59.999Z' });
    expect(dayOfFilter(readersFilterIn(address))).toBe('2026-11-22');
    expect(filterOfDay('')).toEqual({});
  });

  it('leaves the field empty if the address contains a range that is not one whole day', () => {
    for (const search of ['', 'from=2026-11-22T10:00:00.000Z', 'to=2026-11-22T23:59:59.999Z', 'cursor=x'])
      expect(dayOfFilter(readersFilterIn(new URLSearchParams(search)))).toBe('');
  });
});
