import { accountStream } from '@charter/identity';
import { printedEvent } from '../history/printed-event';
import type { Charter } from '@charter/application';

/**
 * A page of the events in an account's audit stream, newest first. `cursor` is the revision of the last event on the
 * previous page.
 */
export async function activityOf(
  { log }: Pick<Charter, 'log'>,
  account: string,
  cursor: number | undefined,
  limit: number,
) {
  const events: ReturnType<typeof printedEvent>[] = [];
  let next: string | null = null;
  if (cursor !== 0) {
    const from = cursor === undefined ? 'end' : BigInt(cursor - 1);
    const options = { from, direction: 'backwards', maxCount: limit, absent: 'empty' } as const;
    for await (const event of log.readStream(accountStream(account), options)) {
      events.push(printedEvent(event));
      next = event.revision === 0n ? null : String(event.revision);
    }
  }
  return { events, next: events.length < limit ? null : next };
}
