import type { EventPage, HistoryEvent } from '@charter/client';
import { createEventPages } from './event-pages';

const HEAD = 49_999;
const eventAt = (revision: number) =>
  ({
    revision,
    type: revision % 3 === 0 ? 'TrafficReported' : 'MemberAdded',
    data: { month: '2026-11' },
  }) as unknown as HistoryEvent;

/** A service with 50,000 events; every third one is a traffic report of the same month. */
function list(filter: Readonly<Record<string, string>> = {}, fail?: () => boolean) {
  const asked: Readonly<Record<string, string>>[] = [];
  const load = async (query: Readonly<Record<string, string>>): Promise<EventPage> => {
    asked.push(query);
    if (fail?.()) throw Object.assign(new Error('busy'), { status: 429 });
    const { from = '0', to = String(HEAD), cursor = '0', order, type } = query;
    const all = Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index)
      .filter((revision) => type === undefined || eventAt(revision).type === type)
      .map(eventAt);
    const sorted = order === 'newest' ? all.reverse() : all;
    const end = Number(cursor) + 100;
    return { events: sorted.slice(Number(cursor), end), next: sorted.length > end ? String(end) : null };
  };
  const pages = createEventPages({ load, filter, head: HEAD, onChange: () => undefined });
  const show = async (first: number, last = first) => {
    pages.want(first, last);
    await new Promise((resolve) => setTimeout(resolve));
    return pages.rowAt(first);
  };
  return { pages, asked, show };
}
const revisionOf = (row: Awaited<ReturnType<ReturnType<typeof list>['show']>>) =>
  row?.kind === 'event' ? row.event.revision : undefined;

describe('A list of 50,000 events', () => {
  it('loads only the page of events with the visible rows, at any place in the list', async () => {
    const { pages, asked, show } = list();
    expect(pages.rowCount()).toBe(50_000);
    await show(0, 20);
    await show(30_000, 30_020);
    expect(asked.map(({ from, to }) => `${from}-${to}`)).toEqual(['49900-49999', '19900-19999']);
    expect(revisionOf(await show(0))).toBe(49_999);
  });

  it('finds the row of an event, and opens the group of events that hides this row', async () => {
    const { pages, show } = list();
    expect(pages.rowOf(1_000)).toEqual({ index: 48_900, isLoaded: false });
    await show(48_900, 48_999);
    const found = pages.rowOf(1_000)!;
    expect([found.isLoaded, revisionOf(pages.rowAt(found.index))]).toEqual([true, 1_000]);
    const rowCount = pages.rowCount();
    const folded = pages.rowOf(1_002)!;
    expect(revisionOf(pages.rowAt(folded.index))).toBe(1_002);
    expect(pages.rowCount()).toBeGreaterThan(rowCount);
    expect(pages.rowOf(50_000)).toBeUndefined();
  });

  it('with a filter, finds the row of an event only after it has loaded the page of the event', async () => {
    const { pages, show } = list({ type: 'MemberAdded' });
    expect(pages.rowOf(49_997)).toBeUndefined();
    await show(0);
    expect(pages.rowOf(49_997)).toMatchObject({ isLoaded: true });
    expect(pages.rowOf(1_000)).toBeUndefined();
  });

  it('keeps at most 2,000 events in memory, and loads a dropped page of events again', async () => {
    const { pages, asked, show } = list();
    for (let row = 0; row < 40_000; row += 100) await show(row);
    expect(pages.loadedCount()).toBeLessThanOrEqual(2_000);
    const requests = asked.length;
    expect(pages.rowAt(0)).toBeUndefined();
    expect(await show(0)).toBeDefined();
    expect(asked).toHaveLength(requests + 1);
  });

  it('begins with the first event if the order is oldest first', async () => {
    const { asked, show } = list({ order: 'oldest' });
    await show(0);
    expect(asked).toEqual([{ from: '0', to: '99', order: 'oldest', limit: '100' }]);
  });

  it('finds the same row at its new index after traffic reports above it have become one row', async () => {
    const { pages, show } = list();
    const place = pages.placeOf(150);
    const before = pages.indexOf(place);
    await show(0); // 33 of the first 100 events are traffic reports of one month
    expect(before - pages.indexOf(place)).toBe(32);
  });

  it('shows the traffic reports of one month as one row, if their pages have loaded one after another', async () => {
    const { pages, show } = list();
    const reportsOfGroups = () =>
      Array.from({ length: 300 }, (_, index) => pages.rowAt(index)).flatMap((row) =>
        row?.kind === 'group' ? [row.events.length] : [],
      );
    await show(100); // the row of the month stands on the second page, until the first page has loaded
    expect(reportsOfGroups()).toEqual([34]);
    const anchor = pages.placeOf(120);
    const seen = pages.rowAt(120);
    await show(0);
    expect(reportsOfGroups()).toEqual([67]);
    expect(pages.rowCount()).toBe(50_000 - 66);
    expect(pages.rowAt(pages.indexOf(anchor))).toEqual(seen);
    await show(200);
    expect(reportsOfGroups()).toEqual([100]);
    await show(30_000); // the page there is far from the other pages, and has a row of its own
    expect(reportsOfGroups()).toEqual([100]);
    expect(pages.rowCount()).toBe(50_000 - 99 - 32);
  });

  it('opens the row of a month, with the reports of all its pages, even after the list has dropped the first page', async () => {
    const { pages, show } = list();
    await show(0);
    for (let row = 67; row < 2_600; row += 66) await show(row);
    expect(pages.rowAt(0)).toBeUndefined();
    const { index, isLoaded } = pages.rowOf(48_000)!;
    expect([index, isLoaded]).toEqual([0, false]);
    await show(index);
    const found = pages.rowOf(48_000)!;
    expect([found.isLoaded, revisionOf(pages.rowAt(found.index))]).toEqual([true, 48_000]);
  });
});

describe('A filtered list', () => {
  it('loads one page of events after another, and no event that is newer than the newest shown event', async () => {
    const { pages, asked, show } = list({ type: 'TrafficReported' });
    await show(0);
    expect(asked).toEqual([{ type: 'TrafficReported', order: 'newest', to: String(HEAD), limit: '100' }]);
    await show(100);
    expect(asked[1]).toMatchObject({ cursor: '100' });
    expect(revisionOf(pages.rowAt(100))).toBe(49_998 - 300);
  });

  it('shows each traffic report in its own row if the filter selects traffic reports', async () => {
    expect(revisionOf(await list({ type: 'TrafficReported' }).show(0))).toBe(49_998);
  });
});

describe('A page of events that the service refuses', () => {
  it('stops further loading of the list until the person tries again', async () => {
    let isBusy = true;
    const { pages, asked, show } = list({}, () => isBusy);
    await show(0);
    expect(pages.failure()).toMatchObject({ status: 429 });
    await show(0);
    expect(asked).toHaveLength(1);
    isBusy = false;
    pages.retry();
    expect(await show(0)).toBeDefined();
  });
});
