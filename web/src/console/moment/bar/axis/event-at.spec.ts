import fc from 'fast-check';
import { findEventAt } from './event-at';

const bin = (first: number | null, last: number | null, from: number, to: number) => ({
  ...{ first, last, from: new Date(from).toISOString(), to: new Date(to).toISOString() },
  ...{ events: 1, groups: {} },
});
/**
 * The moments of the events in milliseconds. The times between the events are uneven, so an estimate from the
 * timeline's bins is wrong.
 */
const moments = [0, 10, 10, 20, 1_000, 1_001, 5_000, 5_000, 9_000];
const head = moments.length - 1;
const bins = [bin(0, 3, 0, 3_000), bin(4, 5, 3_001, 4_500), bin(null, null, 4_501, 4_900), bin(6, head, 4_901, 9_000)];
const last = (moment: number) =>
  Math.max(
    0,
    moments.findLastIndex((at) => at <= moment),
  );

describe('The event at a moment', () => {
  it('is the last event at or before the moment if all steps are loaded', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 9_500 }), (moment) => {
        const found = findEventAt(moment, { bins, head, momentOf: (revision) => moments[revision] });
        expect(found).toEqual({ revision: last(moment), isExact: true });
      }),
    );
  });

  it("is an estimate from the timeline's bins while no step is loaded", () => {
    const at = (moment: number) => findEventAt(moment, { bins, head, momentOf: () => undefined });
    expect(at(1_500)).toEqual({ revision: 2, isExact: false });
    expect(at(4_800)).toEqual({ revision: 5, isExact: false }); // the bin of this moment has no events
    expect(at(99_000)).toEqual({ revision: head, isExact: false });
  });

  it('is found exactly after some estimates, if the caller loads the step of each estimated event', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_500 }), (moment) => {
        const loaded = new Set<number>();
        const find = () =>
          findEventAt(moment, { bins, head, momentOf: (one) => (loaded.has(one) ? moments[one] : undefined) });
        for (let found = find(); !found.isExact; found = find()) {
          expect(loaded.has(found.revision)).toBe(false);
          loaded.add(found.revision);
        }
        expect(find().revision).toBe(last(moment));
      }),
    );
  });

  it('is event 0 if the timeline has no bins', () =>
    expect(findEventAt(5, { bins: [], head: 3, momentOf: () => undefined })).toEqual({ revision: 0, isExact: false }));
});
