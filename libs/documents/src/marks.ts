import type { Tables } from './schema';

/** A few remembered words about this installation: whether it runs as a demo, which event store it belongs to. */
export type Marks = Readonly<{
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  /** Sets it unless it is set; answers with what holds now. */
  setOnce(name: string, value: string): Promise<string>;
  remove(name: string): Promise<void>;
}>;

export function marksIn(tables: Tables): Marks {
  const get = async (name: string) =>
    (await tables.selectFrom('marks').select('value').where('name', '=', name).executeTakeFirst())?.value;
  const insert = (name: string, value: string) => tables.insertInto('marks').values({ name, value });
  return {
    get,
    set: async (name, value) => {
      await insert(name, value)
        .onConflict((same) => same.column('name').doUpdateSet({ value }))
        .execute();
    },
    setOnce: async (name, value) => {
      await insert(name, value)
        .onConflict((same) => same.column('name').doNothing())
        .execute();
      return (await get(name)) ?? value;
    },
    remove: async (name) => {
      await tables.deleteFrom('marks').where('name', '=', name).execute();
    },
  };
}
