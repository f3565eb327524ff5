import { once } from 'node:events';

/**
 * Writes a message. Resolves with true when the call accepts more data, and with false if the client has disconnected.
 */
export async function write(call, message) {
  if (call.cancelled || call.destroyed) return false;
  if (!call.write(message)) {
    const waiting = new AbortController();
    const signal = waiting.signal;
    await Promise.race([once(call, 'drain', { signal }), once(call, 'cancelled', { signal })]).catch(() => undefined);
    waiting.abort();
  }
  return !call.cancelled;
}
