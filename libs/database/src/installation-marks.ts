import type { Tables } from './schema/schema';

/** Named values about this installation, for example whether it runs as a demo and which event store it belongs to. */
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
