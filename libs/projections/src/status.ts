import type { Message } from '@charter/decider';
import { validateCheckpoint, rebuildNeededMessage as sentenceOf } from './checkpoint-validation';
import type { DocumentStore, EditionSummary, ParkedStream } from './document-store';
import { isLogError } from '@charter/event-log';
import { fractionRead } from './rebuild/edition-builder';
import { measureLag } from './lag/lag';
import { type ProjectionCheckpoint, type EventLog, EMPTY_LOG_POSITION, type Position } from '@charter/event-log';
import type { View } from './view';

/** Where a read model stands, as any process can see it. */
export type ProjectionStatus = Readonly<{
  name: string;
  version: number;
  /** Which edition answers; nothing: there is none of this version yet. */
  edition: number | undefined;
  position: Position;
  /** Which part of the log was handled, from 0 to 1. */
  part: number;
  /** Nothing where the log cannot count. */
  lagEvents: number | undefined;
  lagSeconds: number;
  paused: boolean;
  /** Why it must be rebuilt, if it must: a sentence. */
  rebuildNeeded: string | undefined;
  parked: readonly (ParkedStream &
    Readonly<{ stream: string; /** Somebody has asked for another try. */ released: boolean }>)[];
  /** The newest first; `part` says how far each has come. */
  editions: readonly (EditionSummary & Readonly<{ part: number }>)[];
}>;

/** @throws Outdated when the documents were made by newer code */
export async function readProjectionStatus<Draft, Event extends Message>(
  log: EventLog,
  store: DocumentStore<Draft>,
  { name, version, prefixes }: View<Draft, Event>,
  now: number = Date.now(),
): Promise<ProjectionStatus> {
  const live = await store.live();
  const standing = await live?.status();
  const editions = await store.editions();
  const head = await log.head();
  const rebuildNeeded =
    live && live.version < version
      ? `The documents are of version ${live.version}, and this code makes version ${version}. A server that starts rebuilds them.`
      : await disbelief(log, standing?.checkpoint);
  const checkpoint = rebuildNeeded === undefined ? standing?.checkpoint : undefined; // believed
  const lag = await measureLag(log, prefixes, checkpoint, now);
  return {
    name,
    version,
    edition: live?.version === version ? live.id : undefined,
    position: standing?.checkpoint?.position ?? EMPTY_LOG_POSITION,
    part: lag.seconds === 0 && lag.events === 0 ? 1 : fractionRead(checkpoint?.position ?? EMPTY_LOG_POSITION, head),
    lagEvents: lag.events,
    lagSeconds: lag.seconds,
    paused: standing?.paused ?? false,
    rebuildNeeded,
    parked: [...(standing?.parked ?? [])].map(([stream, wait]) => {
      return { stream, ...wait, released: standing?.released.has(stream) ?? false };
    }),
    editions: editions.map((each) => ({ ...each, part: fractionRead(each.position, head) })),
  };
}

async function disbelief(log: EventLog, checkpoint: ProjectionCheckpoint | undefined): Promise<string | undefined> {
  try {
    await validateCheckpoint(log, checkpoint);
    return undefined;
  } catch (why) {
    if (isLogError(why, 'unknown-checkpoint')) return sentenceOf(why);
    throw why;
  }
}
