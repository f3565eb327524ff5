import { randomUUID } from 'node:crypto';
import type { Hot } from '../api-keys/api-keys';
import type { Tables, Within } from '../schema/schema';
import { transact } from '../transactions/transact';

/** Does what changes sessions or accounts, and says so in the same transaction; `changed` answers whether anything did. */
export type Tell = <Outcome>(
  change: (within: Within) => Promise<Outcome>,
  changed: (outcome: Outcome) => boolean,
) => Promise<Outcome>;

export type News = Readonly<{
  tell: Tell;
  /** Another value whenever something was told, here or in another process. */
  stamp?: () => string;
}>;

/**
 * Whoever remembers sessions learns here that they may have ended. A word in a table, because others commit there too; where
 * nobody can ask for it at once, nobody remembers, and nothing is said.
 */
export function newsOf(tables: Tables, hot?: Hot): News {
  let changes = 0;
  const tell: Tell = async (change, changed) => {
    const outcome = await transact(tables, async (within) => {
      const done = await change(within);
      if (hot && changed(done)) await note(within);
      return done;
    });
    changes += 1;
    return outcome;
  };
  return { tell, ...(hot && { stamp: stampOf(hot, () => changes) }) };
}

async function note(within: Within): Promise<void> {
  const value = randomUUID();
  await within
    .insertInto('marks')
    .values({ name: MARK, value })
    .onConflict((same) => same.column('name').doUpdateSet({ value }))
    .execute();
}

function stampOf({ askSync, version }: Hot, changes: () => number): () => string {
  const ask = askSync('select value from marks where name = ?');
  let seen = '';
  let value = '';
  return () => {
    const now = `${version()}.${changes()}`;
    if (now !== seen) value = (ask(MARK) as { value: string } | undefined)?.value ?? ''; // most commits are not about people
    seen = now;
    return value;
  };
}

const MARK = 'people';
