import { duration, median, rounds, row } from '../measure.mjs';
import { lib, opened } from '../product.mjs';
import { founded } from '../stores.mjs';

const EVENTS = 10_000;
const RENEWALS = [100, 600, 5_000];
const TRIES = 21;

/**
 * Measures a fold with the check of event data, compared with a fold without this check. Also measures the state of an
 * organization whose plan billing has renewed many times.
 */
export async function fold({ folder, rounds: count }) {
  const { path, ids } = await founded(folder, 'fold', { organizations: 1, members: 4, events: EVENTS });
  const charter = await opened(path);
  const changes = [];
  for await (const event of charter.log.readStream(lib('organization').organizationStream(ids[0]))) changes.push(event);
  await charter.close();
  const sold = changes.find(({ type }) => type === 'PlanAssigned');
  return [
    ...(await checkRows(changes, count)),
    ...RENEWALS.flatMap((renewals) => renewalRows(renewed(changes[0], sold, renewals), renewals, count)),
  ];
}

async function checkRows(events, count) {
  const { eventFlaw } = lib('organization');
  const checked = () => duration(() => foldOf(events, { flawOf: eventFlaw }));
  const unchecked = () => duration(() => foldOf(events, {}));
  await rounds(10, { checked, unchecked }); // warms up before the measurement
  const { values, floor } = await rounds(count * TRIES, { values: checked, floor: unchecked });
  const inRounds = (figures) =>
    Array.from({ length: count }, (_, round) => median(figures.slice(round * TRIES, (round + 1) * TRIES)));
  const name = `fold of ${EVENTS.toLocaleString('en')} events with the check of their data; floor: without`;
  return [row({ name, unit: 'ms', values: inRounds(values), floor: inRounds(floor) })];
}

/** Folds stored events as a replay does. The data of stored events is parsed already. */
function foldOf(events, check) {
  const { recordedEvent } = lib('event-log');
  const { organizationView } = lib('organization-view');
  const recorded = function* () {
    for (const event of events) yield recordedEvent(check, event);
  };
  return lib('decider').fold(organizationView, recorded());
}

/** The founding, and then a sale of one plan that billing repeats every six hours. */
const renewed = (founding, sold, renewals) => [
  founding,
  ...Array.from({ length: renewals }, (_, index) => {
    const at = new Date(Date.parse(founding.metadata.at) + index * 6 * 3_600_000).toISOString();
    const causation = `evt_${String(index).padStart(24, '0')}`; // as long as an event id of Stripe
    return {
      ...sold,
      revision: BigInt(index + 1),
      data: { ...sold.data, effectiveAt: at, subscription: `sub_${'0'.repeat(24)}` },
      metadata: { ...sold.metadata, at, causation, actor: { kind: 'billing', id: 'stripe' } },
    };
  }),
];

function renewalRows(events, renewals, count) {
  const { entitlementsOf } = lib('organization');
  const last = events.at(-1);
  const next = {
    ...last,
    revision: last.revision + 1n,
    data: { ...last.data, effectiveAt: '2100-01-01T00:00:00.000Z' },
  };
  const folded = foldOf(events, {});
  const values = Array.from({ length: count }, () =>
    median(
      Array.from({ length: TRIES }, () => {
        // each try needs its own copy: a fold changes the state, and answers are cached by state
        const state = structuredClone(folded.state);
        const begun = performance.now();
        const after = lib('decider').fold(lib('organization-view').organizationView, [recordedOf(next)], { state });
        entitlementsOf(after.state, last.metadata.at);
        JSON.stringify(after.state);
        return performance.now() - begun;
      }),
    ),
  );
  const bytes = JSON.stringify(folded.state).length;
  const of = `${renewals.toLocaleString('en')} renewals of a plan`;
  return [
    row({ name: `state after ${of}`, unit: 'KiB', values: Array(count).fill(bytes / 1024) }),
    row({ name: `a renewal after ${of}: folded, entitlements, state as JSON`, unit: 'ms', values }),
  ];
}

const recordedOf = (event) => lib('event-log').recordedEvent({}, event);
