import type { Message } from '@charter/decider';
import { believe } from './believe';
import type { DocumentStore, Parked } from './document-store';
import { isLogError } from './errors';
import { lagOf, oldestUnseen } from './lag';
import { type EventLog, nowhere, type Position } from './port';
import type { View } from './view';

/** Where a read model stands, as any process can see it. */
export type ProjectionStatus = Readonly<{
  name: string;
  version: number;
  /** Which edition answers; nothing: there is none of this version yet. */
  edition: number | undefined;
  position: Position;
  /** Nothing where the log cannot count. */
  lagEvents: number | undefined;
  lagSeconds: number;
  paused: boolean;
  /** Why it must be rebuilt, if it must. */
  rebuildNeeded: string | undefined;
  parked: readonly (Parked & Readonly<{ stream: string }>)[];
}>;

/** @throws Outdated when the documents were made by newer code */
export async function statusOf<Draft, Event extends Message>(
  log: EventLog,
  store: DocumentStore<Draft>,
  { name, version, prefixes }: View<Draft, Event>,
  now: number = Date.now(),
): Promise<ProjectionStatus> {
  const live = await store.live();
  const standing = await live?.standing();
  const checkpoint = standing?.checkpoint;
  const rebuildNeeded =
    live && live.version < version ? `the documents are of version ${live.version}` : await disbelief(log, checkpoint);
  const position = checkpoint?.position ?? nowhere;
  return {
    name,
    version,
    edition: live?.version === version ? live.id : undefined,
    position,
    lagEvents: rebuildNeeded ? undefined : await log.lag?.(position),
    lagSeconds: rebuildNeeded ? 0 : lagOf(await oldestUnseen(log, prefixes, checkpoint), position, now),
    paused: standing?.paused ?? false,
    rebuildNeeded,
    parked: [...(standing?.parked ?? [])].map(([stream, wait]) => ({ stream, ...wait })),
  };
}

async function disbelief(log: EventLog, checkpoint: Parameters<typeof believe>[1]): Promise<string | undefined> {
  try {
    await believe(log, checkpoint);
    return undefined;
  } catch (why) {
    if (isLogError(why, 'unknown-checkpoint')) return why.message;
    throw why;
  }
}
