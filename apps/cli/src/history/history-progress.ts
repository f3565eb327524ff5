import { lastEventOf } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import type { Charter } from '@charter/application';
import type { ActionContext } from '../terminal/action-runner';

/**
 * Shows the progress of reading an organization's history. Call the returned function with the number of events read.
 */
export async function historyProgress(
  { log }: Charter,
  context: ActionContext,
  id: string,
): Promise<(events: number) => void> {
  const last = await lastEventOf(log, organizationStream(id));
  const total = Number(last?.revision ?? 0n) + 1;
  const show = context.progress('events', total);
  return (events) => show(Math.min(total, events)); // other processes may append events during the read
}
