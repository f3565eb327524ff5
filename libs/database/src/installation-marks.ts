import type { DatabaseTransaction, Tables } from './schema/schema';

/**
 * Named values about this installation, for example whether it runs as a demo, and the public address of its server.
 */
export type InstallationMarks = Readonly<{
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
}>;

export function installationMarksIn(tables: Tables): InstallationMarks {
  return {
    get: async (name) =>
      (await tables.selectFrom('marks').select('value').where('name', '=', name).executeTakeFirst())?.value,
    set: async (name, value) => {
      await tables
        .insertInto('marks')
        .values({ name, value })
        .onConflict((same) => same.column('name').doUpdateSet({ value }))
        .execute();
    },
  };
}

/**
 * Replaces a value; `from` is undefined if there is no value yet. Returns false and changes nothing if another process
 * has changed the value.
 */
export async function replaceMark(
  within: DatabaseTransaction,
  name: string,
  { from, to }: Readonly<{ from: string | undefined; to: string }>,
): Promise<boolean> {
  if (from === undefined) {
    const adding = within.insertInto('marks').values({ name, value: to });
    const { numInsertedOrUpdatedRows } = await adding.onConflict((same) => same.doNothing()).executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }
  const replacing = within.updateTable('marks').set({ value: to }).where('name', '=', name);
  const { numUpdatedRows } = await replacing.where('value', '=', from).executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
