import { randomUUID } from 'node:crypto';
import { serializeEvents } from '../serialized-event';
import { isLogError, LogError } from '../errors';
import type { Appends } from './appends';
import type { ServerCalls } from './calls';
import { refuseIfClosed } from './pages';

/** The stream whose single event contains the store's identity (`event-log.md` D5). */
const STREAM = 'charter-store';

/** Reads the store's identity from the server at each call. Creates the identity in a store that has none. */
export async function identityOf(calls: ServerCalls, { append }: Appends): Promise<string> {
  return (await storedIdentity(calls)) ?? (await createIdentity(calls, append));
}

async function storedIdentity(calls: ServerCalls): Promise<string | undefined> {
  refuseIfClosed(calls);
  try {
    const [event] = await calls.page({ stream: STREAM, direction: 'forwards', from: 0n, maxCount: 1, ms: calls.ms });
    return event && idIn(event.data);
  } catch (error) {
    if (isLogError(error, 'not-found')) return undefined;
    throw error;
  }
}

async function createIdentity(calls: ServerCalls, append: Appends['append']): Promise<string> {
  const store = randomUUID();
  const events = serializeEvents(STREAM, [{ id: store, type: 'StoreFounded', data: { store } }], 'no_stream');
  try {
    await append(STREAM, events, 'no_stream', calls.ms);
    return store;
  } catch (error) {
    // A conflict means that another process created the identity at the same time.
    const other = isLogError(error, 'conflict') ? await storedIdentity(calls) : undefined;
    if (other === undefined) throw error;
    return other;
  }
}

function idIn(data: unknown): string {
  const store = typeof data === 'object' && data !== null && 'store' in data ? data.store : undefined;
  if (typeof store !== 'string')
    throw new LogError('internal', `The stream ${STREAM} does not contain the identity of this store.`);
  return store;
}
