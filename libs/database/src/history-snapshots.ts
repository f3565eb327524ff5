import { sql } from 'kysely';
import type { Schema, Tables } from './schema/schema';
import { inBulk } from './transactions/bulk';
import { transact } from './transactions/transact';

/**
 * A folded state of a stream. `version` is the `stateVersion` of the code that folded the state. `hash` is the hash of
 * the state's last event, and `proof` covers all other fields. The state is in force from `inForceBy`.
 */
export type HistorySnapshot = Readonly<{
  stream: string;
  version: number;
  revision: number;
  hash: string;
  at: string;
  inForceBy: string;
  state: string;
  proof: string;
}>;

/** Which snapshot to read: a revision after `after`, up to and including `until`. */
type SnapshotsWanted = Readonly<{ version: number; after: number; until: number; valid?: string | undefined }>;

/** The stored snapshots of long histories. The caller checks each snapshot before its use. */
export type HistorySnapshots = Readonly<{
  /** The newest snapshot in a range; with `valid`, only a snapshot whose events are all in force at this moment. */
  newest(stream: string, wanted: SnapshotsWanted): Promise<HistorySnapshot | undefined>;
  /**
   * Stores snapshots of one stream and version. Removes snapshots of older versions, and snapshots of this version
   * whose revision is not a multiple of `every`.
   */
  store(stream: string, version: number, snapshots: readonly HistorySnapshot[], every: number): Promise<void>;
  /** Removes one snapshot, if its proof is still the given proof. */
  remove(snapshot: HistorySnapshot): Promise<void>;
  /** Removes all snapshots of a stream. */
  removeAll(stream: string): Promise<void>;
}>;

const columns = ['stream', 'version', 'revision', 'hash', 'at', 'in_force_by', 'state', 'proof'] as const;

const written = inBulk<Schema['history_snapshots']>(columns, (tables: Tables, rows) =>
  tables
    .insertInto('history_snapshots')
    .values(rows)
    .onConflict((same) =>
      same.columns(['stream', 'version', 'revision']).doUpdateSet(({ ref }) => ({
        hash: ref('excluded.hash'),
        at: ref('excluded.at'),
        in_force_by: ref('excluded.in_force_by'),
        state: ref('excluded.state'),
        proof: ref('excluded.proof'),
      })),
    ),
);

/** The row of a snapshot, with its fields in the order of `columns`. */
const rowOf = ({ stream, version, revision, hash, at, inForceBy, state, proof }: HistorySnapshot) => ({
  ...{ stream, version, revision, hash, at },
  ...{ in_force_by: inForceBy, state, proof },
});

/** @param projected the connections of projectors, so that no request waits for a write of states */
export function historySnapshotsIn(tables: Tables, projected: Tables = tables): HistorySnapshots {
  const of = (stream: string) => projected.deleteFrom('history_snapshots').where('stream', '=', stream);
  return {
    newest: async (stream, { version, after, until, valid }) => {
      let rows = tables.selectFrom('history_snapshots').select(columns);
      rows = rows.where('stream', '=', stream).where('version', '=', version);
      rows = rows.where('revision', '>', after).where('revision', '<=', until);
      if (valid !== undefined) rows = rows.where('in_force_by', '<=', valid);
      const row = await rows.orderBy('revision', 'desc').limit(1).executeTakeFirst();
      if (!row) return undefined;
      const { in_force_by: inForceBy, ...rest } = row;
      return { ...rest, inForceBy };
    },
    store: (stream, version, snapshots, every) =>
      transact(projected, async (within) => {
        const rows = snapshots.map(rowOf);
        for (const query of written(projected, rows)) await within.executeQuery(query);
        await within
          .deleteFrom('history_snapshots')
          .where('stream', '=', stream)
          .where(({ eb, or, and }) =>
            or([
              eb('version', '<', version),
              and([eb('version', '=', version), sql<boolean>`revision % ${every} <> 0`]),
            ]),
          )
          .execute();
      }),
    remove: async ({ stream, version, revision, proof }) => {
      await of(stream)
        .where('version', '=', version)
        .where('revision', '=', revision)
        .where('proof', '=', proof)
        .execute();
    },
    removeAll: async (stream) => {
      await of(stream).execute();
    },
  };
}
