import { hash } from 'node:crypto';
import type { Charter } from '@charter/application';
import { createStateReader } from '@charter/application';
import { type Folded, type Immutable, type Moment, momentAt } from '@charter/decider';
import type { StoredEvent } from '@charter/event-log';
import { type Organization, organizationStream } from '@charter/organization';
import { entitlementKeys, entitlements } from '@charter/organization-view';
import { LRUCache } from 'lru-cache';
import { LONG_EVENTS } from '../../organizations/organization-reader';
import type { Clock } from '../../process/parts/clock';
import type { ChangedOrganization } from './change-reader';
import { mayChangeEntitlements, mayHaveChangedBack } from './changed-back';

/** The names of the values in an organization's entitlements: its limits, its features, and `traffic`. */
export const changeKeys = [...entitlementKeys, 'traffic'] as const;
type ChangeKey = (typeof changeKeys)[number];

/** The changed values of one organization, and the revision that the read model contains. */
export type EntitlementChange = Readonly<{ organization: string; revision: number; keys: readonly ChangeKey[] }>;

/** A short hash of each value, in the order of `changeKeys`. */
type Printed = Readonly<{ revision: number; hashes: readonly string[] }>;

/**
 * Compares the entitlements before and after each change: values, use and reasons. The result has an element for each
 * change, in their order: undefined if no value has changed. A value that has changed and changed back counts as
 * changed, because a client may have read it in between. The hashes of each organization stay in memory, so only its
 * first change and several events at once read the stream. If a read fails, no hashes are stored, so a second call
 * with the same changes finds the same keys.
 */
export function createChangedKeys({
  view,
  log,
  snapshotReplay,
  now,
}: Pick<Charter, 'view' | 'log' | 'snapshotReplay'> & Clock) {
  const known = new LRUCache<string, Printed>({ max: KNOWN_MAX });
  const states = createStateReader({ log, snapshotReplay });

  const printed = (id: string, document: Folded<Immutable<Organization>>, at: Moment): Printed => {
    const { limits, features, traffic } = entitlements(id)(document, at);
    const values: Readonly<Record<string, unknown>> = { ...limits, ...features, traffic };
    const hashes = changeKeys.map((key) => hash('sha256', JSON.stringify(values[key])).slice(0, HASH_LENGTH));
    return { revision: document.revision, hashes };
  };

  /**
   * The hashes before an event; undefined if the organization is new, or if its history is too long to read. The
   * hashes apply to the moment of the previous event. If an override has ended since that moment, they include its
   * limits, because the clients still have these limits.
   */
  const printedBefore = async (id: string, revision: number): Promise<Printed | undefined> => {
    if (revision === 0) return undefined;
    const { events, read } = await states.prepare(organizationStream(id), { until: { revision: revision - 1 } });
    const state = events <= LONG_EVENTS ? await read() : undefined;
    return state && printed(id, state, state.at);
  };

  /** The hashes after each event between two revisions; undefined if there are too many events to read. */
  const printedBetween = async (id: string, { from, to }: Readonly<{ from: number; to: number }>) => {
    const stream = organizationStream(id);
    if (to - from > STEPS_MAX) return undefined;
    await snapshotReplay.load(stream, from);
    if (snapshotReplay.distance(stream, from) > LONG_EVENTS) return undefined;
    let steps: Printed[] = [];
    await snapshotReplay.replay(stream, { from, to }, () => {
      steps = []; // the replay begins again if another log has replaced the log
      return (event, _before, fold) => {
        const state = fold();
        if (event.revision > from && mayChangeEntitlements(event)) steps.push(printed(id, state, state.at));
      };
    });
    return steps;
  };

  /** The hashes that a client may have read between two comparisons; undefined if the process does not compute them. */
  const stepsTo = async (
    { id, document, at }: Readonly<{ id: string; document: Folded<Immutable<Organization>>; at: Moment }>,
    { revision: from }: Printed,
    events: readonly StoredEvent[],
    takeReplay: () => boolean,
  ): Promise<readonly Printed[] | undefined> => {
    if (mayHaveChangedBack(events, from, document.revision))
      return takeReplay() ? printedBetween(id, { from, to: document.revision }) : undefined;
    const until = document.state.override?.until;
    // An override was in force after the last event, and has ended since then.
    const hasOverrideEnded = until != null && document.at < until && until <= at;
    return hasOverrideEnded ? [printed(id, document, document.at)] : [];
  };

  const compare = async (
    { organization, events }: ChangedOrganization,
    takeReplay: () => boolean,
  ): Promise<Comparison> => {
    const document = await view.get(organizationStream(organization));
    if (!document) return { organization, after: undefined, keys: [] };
    const at = momentAt(now());
    const after = printed(organization, document, at);
    const before = known.get(organization) ?? (await printedBefore(organization, Number(events[0]!.revision)));
    if (!before) return { organization, after, keys: changeKeys };
    const steps = await stepsTo({ id: organization, document, at }, before, events, takeReplay);
    const isChanged = (index: number) =>
      !steps || [...steps, after].some(({ hashes }) => hashes[index] !== before.hashes[index]);
    return { organization, after, keys: changeKeys.filter((_, index) => isChanged(index)) };
  };

  return async (changes: readonly ChangedOrganization[]): Promise<readonly (EntitlementChange | undefined)[]> => {
    const comparisons: Comparison[] = [];
    let replays = 0;
    /** Counts one more replay; false if the batch has used all. */
    const takeReplay = () => (replays += 1) <= REPLAYS_MAX;
    for (const change of changes) comparisons.push(await compare(change, takeReplay));
    for (const { organization, after } of comparisons) if (after) known.set(organization, after);
    return comparisons.map(({ organization, after, keys }) =>
      after && keys.length > 0 ? { organization, revision: after.revision, keys } : undefined,
    );
  };
}

type Comparison = Readonly<{ organization: string; after: Printed | undefined; keys: readonly ChangeKey[] }>;

const KNOWN_MAX = 10_000;
/** If more events than this come between two comparisons, the notice names every key. */
const STEPS_MAX = 50;
/**
 * The maximum number of streams that the process replays for one batch, because a replay can take some milliseconds.
 * The notices of further organizations with several events name every key.
 */
const REPLAYS_MAX = 20;
const HASH_LENGTH = 16; // hexadecimal digits
