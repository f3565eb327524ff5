import { hash } from 'node:crypto';
import type { Charter } from '@charter/application';
import { createStateReader } from '@charter/application';
import { type Folded, type Immutable, type Moment, momentAt } from '@charter/decider';
import { type Organization, organizationStream } from '@charter/organization';
import { entitlementKeys, entitlements } from '@charter/organization-view';
import { LRUCache } from 'lru-cache';
import { LONG_EVENTS } from '../../organizations/organization-reader';
import type { Clock } from '../../process/parts/clock';
import type { ChangedOrganization } from './change-reader';

/** The names of the values in an organization's entitlements: its limits, its features, and `traffic`. */
export const changeKeys = [...entitlementKeys, 'traffic'] as const;
type ChangeKey = (typeof changeKeys)[number];

/** The changed values of one organization, and the revision that the read model contains. */
export type EntitlementChange = Readonly<{ organization: string; revision: number; keys: readonly ChangeKey[] }>;

/** A short hash of each value, in the order of `changeKeys`. */
type Printed = Readonly<{ revision: number; hashes: readonly string[] }>;

/**
 * Compares the entitlements before and after each change: values, use and reasons. The result has an element for each
 * change, in their order: undefined if no value has changed. The hashes of each organization stay in memory, so only
 * its first change reads the stream. If a read fails, no hashes are stored, so a second call with the same changes
 * finds the same keys.
 */
export function createChangedKeys({ view, now, ...stores }: Pick<Charter, 'view' | 'log' | 'snapshotReplay'> & Clock) {
  const known = new LRUCache<string, Printed>({ max: KNOWN_MAX });
  const states = createStateReader(stores);

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

  const compare = async ({ organization, events }: ChangedOrganization): Promise<Comparison> => {
    const document = await view.get(organizationStream(organization));
    if (!document) return { organization, after: undefined, keys: [] };
    const after = printed(organization, document, momentAt(now()));
    const before = known.get(organization) ?? (await printedBefore(organization, Number(events[0]!.revision)));
    const keys = before ? changeKeys.filter((_, index) => before.hashes[index] !== after.hashes[index]) : changeKeys;
    return { organization, after, keys };
  };

  return async (changes: readonly ChangedOrganization[]): Promise<readonly (EntitlementChange | undefined)[]> => {
    const comparisons: Comparison[] = [];
    for (const change of changes) comparisons.push(await compare(change));
    for (const { organization, after } of comparisons) if (after) known.set(organization, after);
    return comparisons.map(({ organization, after, keys }) =>
      after && keys.length > 0 ? { organization, revision: after.revision, keys } : undefined,
    );
  };
}

type Comparison = Readonly<{ organization: string; after: Printed | undefined; keys: readonly ChangeKey[] }>;

const KNOWN_MAX = 10_000;
const HASH_LENGTH = 16; // hexadecimal digits
