import { lastEventOf } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import type { Charter } from '@charter/application';
import type { ActionContext } from '../terminal/action-runner';

/** A bar for whoever goes through the history of an organization: to be told how many events were read. */
export async function historyProgress(
  { log }: Charter,
  desk: ActionContext,
  id: string,
): Promise<(events: number) => void> {
  const last = await lastEventOf(log, organizationStream(id));
  const total = Number(last?.revision ?? 0n) + 1;
  const show = desk.progress('events', total);
  return (events) => show(Math.min(total, events)); // others may have added some meanwhile
}
