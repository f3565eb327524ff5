import { randomUUID } from 'node:crypto';
import { serializeEvents } from '../serialized-event';
import { isLogError, LogError } from '../errors';
import type { Appends } from './appends';
import type { ServerCalls } from './calls';
import { refuseIfClosed } from './pages';

/** The stream whose one event says which store this is (`event-log.md` D5). */
const STREAM = 'charter-store';

/** The id that this store got when Charter first met it; one that has none gets it now. Asked of the server each time. */
export async function identityOf(calls: ServerCalls, { append }: Appends): Promise<string> {
  return (await known(calls)) ?? (await founded(calls, append));
}

async function known(calls: ServerCalls): Promise<string | undefined> {
  refuseIfClosed(calls);
  try {
    const [event] = await calls.page({ stream: STREAM, direction: 'forwards', from: 0n, maxCount: 1, ms: calls.ms });
    return event && idIn(event.data);
  } catch (error) {
    if (isLogError(error, 'not-found')) return undefined;
    throw error;
  }
}

async function founded(calls: ServerCalls, append: Appends['append']): Promise<string> {
  const store = randomUUID();
  const events = serializeEvents(STREAM, [{ id: store, type: 'StoreFounded', data: { store } }], 'no_stream');
  try {
    await append(STREAM, events, 'no_stream', calls.ms);
    return store;
  } catch (error) {
    const other = isLogError(error, 'conflict') ? await known(calls) : undefined; // somebody else met it at the same time
    if (other === undefined) throw error;
    return other;
  }
}

function idIn(data: unknown): string {
  const store = typeof data === 'object' && data !== null && 'store' in data ? data.store : undefined;
  if (typeof store !== 'string')
    throw new LogError('internal', `The stream ${STREAM} does not say which store this is.`);
  return store;
}
