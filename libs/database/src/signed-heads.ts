import { replaceMark } from './installation-marks';
import { inBulk } from './transactions/bulk';
import type { Schema, Tables } from './schema/schema';
import { transact } from './transactions/transact';

/** The number of a stream's events, and its head (the hash of the last event), when a checkpoint was signed. */
export type SignedHead = Readonly<{ stream: string; events: number; head: string }>;

/** The last signed checkpoint over the whole log, and the stream heads that this checkpoint covers. */
export type SignedHeads = Readonly<{
  /** The signed note; undefined if no checkpoint was ever signed. */
  note(): Promise<string | undefined>;
  of(stream: string): Promise<SignedHead | undefined>;
  /** The next `size` heads after a stream, sorted by stream name. */
  page(after: string, size: number): Promise<readonly SignedHead[]>;
  /**
   * Replaces the note `from` by `note` and stores the given heads, in one transaction. If `anew` is true, first deletes
   * all stored heads. Returns false and changes nothing if another process has replaced the note.
   */
  sign(
    note: string,
    heads: readonly SignedHead[],
    options: Readonly<{ from: string | undefined; anew?: boolean }>,
  ): Promise<boolean>;
}>;

const MARK = 'signed-checkpoint';

const written = inBulk<Schema['signed_heads']>(['stream', 'events', 'head'], (tables: Tables, rows) =>
  tables
    .insertInto('signed_heads')
    .values(rows)
    .onConflict((same) =>
      same.column('stream').doUpdateSet(({ ref }) => ({ events: ref('excluded.events'), head: ref('excluded.head') })),
    ),
);

export function signedHeadsIn(tables: Tables): SignedHeads {
  const heads = tables.selectFrom('signed_heads').select(['stream', 'events', 'head']);
  return {
    note: async () =>
      (await tables.selectFrom('marks').select('value').where('name', '=', MARK).executeTakeFirst())?.value,
    of: (stream) => heads.where('stream', '=', stream).executeTakeFirst(),
    page: (after, size) => heads.where('stream', '>', after).orderBy('stream').limit(size).execute(),
    sign: (note, changed, { from, anew = false }) =>
      transact(tables, async (within) => {
        if (!(await replaceMark(within, MARK, { from, to: note }))) return false;
        if (anew) await within.deleteFrom('signed_heads').execute();
        for (const query of written(tables, changed)) await within.executeQuery(query);
        return true;
      }),
  };
}
