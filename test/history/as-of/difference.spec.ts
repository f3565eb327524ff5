import { entitlementSnapshotAt, recordedState } from '@charter/organization-view';
import { readOrganizationDifference, RangeNotInOrder } from '@charter/application';
import { UnknownRevision } from '@charter/aggregates';
import fc from 'fast-check';
import { applyPatch, type Operation } from 'rfc6902';
import { anyOf, anySteps, chance, livedThrough, momentsOf, plainly, seed } from './life';

const NOW = '2999-01-01T00:00:00.000Z';

// acceptance.md I2: the states before and after, and the events that caused the difference
it('The difference between two revisions changes the first state into the second state, and names the events that caused each change', async () => {
  let lines = 0;
  await fc.assert(
    fc.asyncProperty(anySteps, anyRanges, async (steps, ranges) => {
      const lived = await livedThrough(steps);
      for (const range of ranges) lines += await checkedLines(lived, range);
    }),
    { numRuns: 60, ...seed },
  );
  expect(lines).toBeGreaterThan(250);
});

/** Several ranges, because many random ranges of a short history contain no change. */
const anyRanges = fc.array(fc.record({ some: chance, more: chance, validly: fc.option(chance) }), {
  minLength: 4,
  maxLength: 4,
});

/** Checks the difference between two random revisions. Resolves with the number of lines in this difference. */
async function checkedLines(
  { log, snapshotReplay, id, events }: Awaited<ReturnType<typeof livedThrough>>,
  { some, more, validly }: Readonly<{ some: number; more: number; validly: number | null }>,
): Promise<number> {
  const revisions = [anyOf(events, some), anyOf(events, more)].map(({ revision }) => revision);
  const [from, to] = revisions.toSorted((one, other) => one - other) as [number, number];
  const valid = validly === null ? undefined : anyOf(momentsOf(events), validly);
  const [before, after] = [plainly(events, from, valid), plainly(events, to, valid)];
  const difference = await readOrganizationDifference({ log, snapshotReplay }, id, {
    ...{ from: { revision: from }, to: { revision: to }, valid, now: NOW },
  });
  expect(difference === undefined).toBe(after.state.name === '');
  if (difference === undefined) return 0;

  expect(difference).toMatchObject({
    from: { revision: from, at: events[from]!.metadata.at },
    to: { revision: to },
  });
  const patched = JSON.parse(JSON.stringify(recordedState(before.state))) as object;
  const problems = applyPatch(patched, JSON.parse(JSON.stringify(difference.state)) as Operation[]);
  expect(problems.filter(Boolean)).toEqual([]);
  expect(patched).toEqual(JSON.parse(JSON.stringify(recordedState(after.state))));

  const entitled = [
    entitlementSnapshotAt(before.state, valid ?? events[from]!.metadata.at),
    entitlementSnapshotAt(after.state, valid ?? events[to]!.metadata.at),
  ] as const;
  for (const kind of ['limits', 'features'] as const)
    for (const name of Object.keys(entitled[0][kind])) {
      const [one, other] = entitled.map((each) => (each[kind] as Record<string, unknown>)[name]);
      const line = (difference.entitlements[kind] as Record<string, object>)[name];
      if (JSON.stringify(one) === JSON.stringify(other)) expect(line).toBeUndefined();
      else expect(line).toMatchObject({ before: one, after: other });
    }
  const lines = [
    ...difference.state,
    ...Object.values(difference.entitlements.limits),
    ...Object.values(difference.entitlements.features),
  ];
  for (const { causes, causesInAll } of lines) {
    expect(causes.length).toBeGreaterThan(0);
    expect(causesInAll).toBeGreaterThanOrEqual(causes.length);
    for (const { revision, type, at, endedAt } of causes) {
      expect(events[revision]).toMatchObject({ type, metadata: { at } });
      if (endedAt === undefined) expect(revision > from && revision <= to).toBe(true);
    }
  }
  return lines.length;
}

it('The difference since the moment of the last event is empty, also after the clock was set back', async () => {
  const { log, snapshotReplay, id, events } = await livedThrough([]);
  const { at } = events.at(-1)!.metadata;
  const now = '2000-01-01T00:00:00.000Z';
  expect(await readOrganizationDifference({ log, snapshotReplay }, id, { from: { moment: at }, now })).toMatchObject({
    ...{ events: 0, state: [] },
  });
});

it('The difference between a revision and itself is empty; a range in the wrong order or with an unknown revision is refused', async () => {
  const { log, snapshotReplay, id, events } = await livedThrough([]);
  const between = (from: object, to?: object) =>
    readOrganizationDifference({ log, snapshotReplay }, id, { from, to, now: NOW } as Parameters<
      typeof readOrganizationDifference
    >[2]);
  expect(await between({ revision: 0 }, { revision: 0 })).toMatchObject({ events: 0, state: [] });
  expect(await between({ revision: 0 })).toMatchObject({ events: 0, to: { moment: NOW } });
  await expect(between({ revision: 1 })).rejects.toThrow(UnknownRevision);
  await expect(between({ revision: 0 }, { revision: 1 })).rejects.toThrow(UnknownRevision);
  await expect(between({ revision: 1 }, { revision: 0 })).rejects.toThrow(RangeNotInOrder);
  await expect(between({ moment: NOW }, { revision: 0 })).rejects.toThrow(RangeNotInOrder);
  await expect(between({ moment: '2999-01-01T00:00:00.001Z' })).rejects.toThrow(RangeNotInOrder);
  expect(await between({ moment: NOW })).toMatchObject({ events: 0, from: { moment: NOW }, to: { moment: NOW } });
  await expect(between({ revision: 1 }, { moment: events[0]!.metadata.at })).rejects.toThrow(RangeNotInOrder);
  expect(await between({ revision: 0 }, { moment: '2000-01-01T00:00:00.000Z' })).toBeUndefined();
  const founding = await between({ moment: '2000-01-01T00:00:00.000Z' });
  expect(founding).toMatchObject({ from: { revision: -1, at: null }, to: { revision: 0 }, events: 1 });
  expect(founding!.state).toMatchObject([
    { op: 'replace', path: '/name', value: 'Acme', before: '', causes: [{ revision: 0, type: 'OrganizationFounded' }] },
  ]);
});
