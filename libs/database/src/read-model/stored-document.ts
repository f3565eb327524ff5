import type { Folded } from '@charter/decider';
import { StoreRefused } from '@charter/event-log';
import type { Schema } from '../schema/schema';

/**
 * Parses a stored document. A view has produced the state, so this function checks only the JSON syntax.
 * @throws StoreRefused when the state is not JSON, because another program or the disk has damaged the row
 */
export function documentFrom<State>(row: Pick<Schema['documents'], 'revision' | 'at' | 'state'>): Folded<State> {
  const { state, revision, at } = row;
  try {
    return { state: JSON.parse(state) as State, revision, at };
  } catch {
    const { stream = 'a stream' } = row as Partial<Schema['documents']>;
    throw new StoreRefused(
      `The document of ${stream} in the read model is damaged: it is not valid JSON. Rebuild the read model: ./charter projections rebuild`,
    );
  }
}
