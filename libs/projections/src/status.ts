import type { Message } from '@charter/decider';
import { validateCheckpoint, rebuildNeededMessage as sentenceOf } from './checkpoint-validation';
import type { DocumentStore, EditionSummary, ParkedStream } from './document-store';
import { isLogError } from '@charter/event-log';
import { fractionRead } from './rebuild/edition-builder';
import { measureLag } from './lag/lag';
import { type ProjectionCheckpoint, type EventLog, EMPTY_LOG_POSITION, type Position } from '@charter/event-log';
import type { View } from './view';

/** The status of a read model, which every process can read. */
export type ProjectionStatus = Readonly<{
  name: string;
  version: number;
  /** The edition that answers queries; `undefined` if no live edition has this version. */
  edition: number | undefined;
  position: Position;
  /** The part of the log that the read model has handled, from 0 to 1. */
  part: number;
  /** The number of events that the read model has not handled; `undefined` if the log cannot count events. */
  lagEvents: number | undefined;
  lagSeconds: number;
  paused: boolean;
  /** A sentence that says why the read model must be rebuilt; `undefined` if no rebuild is needed. */
  rebuildNeeded: string | undefined;
  parked: readonly (ParkedStream &
    Readonly<{ stream: string; /** Whether an operator has released the stream. */ released: boolean }>)[];
  /**
   * All editions except the abandoned editions, newest first. `part` is the part of the log that the edition has
   * handled, from 0 to 1.
   */
  editions: readonly (EditionSummary & Readonly<{ part: number }>)[];
}>;

/** @throws Outdated if newer code made the documents */
export async function readProjectionStatus<Draft, Event extends Message>(
  log: EventLog,
  store: DocumentStore<Draft>,
  { name, version, prefixes }: View<Draft, Event>,
  now: number = Date.now(),
): Promise<ProjectionStatus> {
  const live = await store.live();
  const status = await live?.status();
  const editions = await store.editions();
  const head = await log.head();
  const rebuildNeeded =
    live && live.version < version
      ? `The documents are of version ${live.version}, and this code makes version ${version}. The next server that starts rebuilds the documents.`
      : await checkpointError(log, status?.checkpoint);
  // Undefined if the checkpoint is not valid.
  const checkpoint = rebuildNeeded === undefined ? status?.checkpoint : undefined;
  const lag = await measureLag(log, prefixes, checkpoint, now);
  return {
    name,
    version,
    edition: live?.version === version ? live.id : undefined,
    position: status?.checkpoint?.position ?? EMPTY_LOG_POSITION,
    part: lag.seconds === 0 && lag.events === 0 ? 1 : fractionRead(checkpoint?.position ?? EMPTY_LOG_POSITION, head),
    lagEvents: lag.events,
    lagSeconds: lag.seconds,
    paused: status?.paused ?? false,
    rebuildNeeded,
    parked: [...(status?.parked ?? [])].map(([stream, wait]) => {
      return { stream, ...wait, released: status?.released.has(stream) ?? false };
    }),
    editions: editions.map((each) => ({ ...each, part: fractionRead(each.position, head) })),
  };
}

async function checkpointError(
  log: EventLog,
  checkpoint: ProjectionCheckpoint | undefined,
): Promise<string | undefined> {
  try {
    await validateCheckpoint(log, checkpoint);
    return undefined;
  } catch (error) {
    if (isLogError(error, 'unknown-checkpoint')) return sentenceOf(error);
    throw error;
  }
}
