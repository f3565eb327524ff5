import type { Folded } from '@charter/decider';
import { StoreRefused } from '@charter/event-log';
import type { Schema } from '../schema/schema';

/**
 * A document as it was stored: its state is what the view made of it, and only JSON lies between.
 * @throws StoreRefused when it is none: then something else has written to the tables, or a disk
 */
export function documentFrom<State>(row: Pick<Schema['documents'], 'revision' | 'at' | 'state'>): Folded<State> {
  const { state, revision, at } = row;
  try {
    return { state: JSON.parse(state) as State, revision, at };
  } catch {
    const { stream = 'a stream' } = row as Partial<Schema['documents']>;
    throw new StoreRefused(
      `The document of ${stream} in the read model is damaged: it is no JSON. Make all anew: npx charter projections rebuild`,
    );
  }
}
