import fc from 'fast-check';
import { anyOf, anySteps, chance, livedThrough, momentsOf, plainly, seed } from './life';

// acceptance.md I3; decisions.md 24
it('The state in force at any moment, computed from the events up to any revision, equals a plain fold of the events in force at that moment', async () => {
  let late = 0;
  await fc.assert(
    fc.asyncProperty(
      anySteps,
      fc.array(fc.tuple(chance, chance), { minLength: 8, maxLength: 8 }),
      async (steps, chances) => {
        const { organizations, stream, events } = await livedThrough(steps);
        const moments = momentsOf(events);
        const asItWas = (at: string) =>
          plainly(
            events,
            events.findLastIndex((event) => event.metadata.at <= at),
          );
        for (const [some, more] of chances) {
          const [{ revision, metadata }, valid] = [anyOf(events, some), anyOf(moments, more)];
          const plain = plainly(events, revision, valid);
          const past = await organizations.replay(stream, { until: { revision }, valid });
          expect(past).toEqual({ state: plain.state, revision, at: metadata.at });
          const byThen = events.findLastIndex(({ metadata: { at } }) => at <= metadata.at);
          expect((await organizations.replay(stream, { until: { moment: metadata.at }, valid }))?.state).toEqual(
            plainly(events, byThen, valid).state,
          );
          expect((await organizations.replay(stream, { valid }))?.state).toEqual(
            plainly(events, Infinity, valid).state,
          );
          const isLate = ({ data, metadata: { at } }: (typeof events)[number]) => at > valid && 'effectiveAt' in data;
          if (events.some(isLate) && JSON.stringify(plain.state) !== JSON.stringify(asItWas(valid).state)) late += 1;
        }
      },
    ),
    { numRuns: 50, ...seed },
  );
  expect(late).toBeGreaterThan(3); // in most runs 25 to 45
});
