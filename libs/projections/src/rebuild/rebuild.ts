import type { Message } from '@charter/decider';
import { validateCheckpoint } from '../checkpoint-validation';
import { compareEditions, type EditionComparison } from './compare-editions';
import type { DocumentStore, Edition } from '../document-store';
import { isLogError } from '@charter/event-log';
import { buildEdition, type RebuildProgress } from './edition-builder';
import { type Heartbeat, startHeartbeat } from './heartbeat';
import { type EventLog, EMPTY_LOG_POSITION, type Position } from '@charter/event-log';
import type { View } from '../view';

export type RebuildResult = Readonly<{
  edition: number;
  events: number;
  position: Position;
  /**
   * The comparison of the new documents with the documents that they replace. Undefined if there were no earlier
   * documents, or if the earlier documents had another version or came from another log.
   */
  compared: EditionComparison | undefined;
}>;

export type RebuildOptions = Readonly<{
  onProgress?: (progress: RebuildProgress) => void;
  /** Called several times within the duration of a lease, so that the caller can renew the lease. */
  onHeartbeat?: () => Promise<unknown>;
  /** The maximum number of documents in memory. */
  documentsMax?: number;
  /** Activates the new documents even if they differ from the replaced documents. */
  acceptDifferences?: boolean;
  /** Takes over from another rebuild, which then ends. */
  takeOver?: boolean;
  signal?: AbortSignal;
}>;

/**
 * The error of a rebuild whose documents differ from live documents of the same revision and the same version of the
 * view.
 */
export class RebuildDiffers extends Error {
  constructor(readonly compared: EditionComparison) {
    const { differences, different } = compared;
    const [first] = different;
    super(
      `The live documents are not what this code makes of the log. Differences: ${differences}; ` +
        `the first is ${first?.stream}, revision ${first?.revision}: ${first?.why}. The live documents stay in use.`,
    );
    this.name = 'RebuildDiffers';
  }
}

/**
 * Folds the whole log into a new edition beside the live edition, and compares the two editions. Activates the new
 * edition when its checkpoint has reached the checkpoint of the live edition. After a crash, the next rebuild begins
 * with a new edition. The replaced edition is stored until an operator drops it. If another version of the view than
 * `view` built the live edition, an event that Charter cannot fold only parks its stream.
 * @throws Poisoned at the first event that cannot be folded, if the live edition was built with the same version;
 * RebuildDiffers; RebuildInProgress; Overtaken if another rebuild takes over
 */
export async function rebuild<Draft, Event extends Message>(
  log: EventLog,
  store: DocumentStore<Draft>,
  view: View<Draft, Event>,
  options: RebuildOptions = {},
): Promise<RebuildResult> {
  const { acceptDifferences = false, takeOver = false, onHeartbeat } = options;
  const before = await store.live();
  const edition = await store.begin({ takeOver });
  let reached: Position = EMPTY_LOG_POSITION;
  const heartbeat = startHeartbeat(async () => {
    await edition.report(reached);
    await onHeartbeat?.();
  });
  try {
    await store.sweep();
    const builder = await buildEdition(log, edition, view, {
      documentsMax: options.documentsMax ?? 10_000,
      // If the live edition has another version, the new edition must become live even with parked streams, because
      // queries need it.
      onPoison: before?.version === edition.version ? 'fail' : 'park',
      onPage: (progress) => {
        throwIfEnded(options, heartbeat);
        reached = progress.position;
        options.onProgress?.(progress);
      },
    });
    await builder.toTheEnd();
    // Without new statistics, queries are slower until the database updates its statistics itself. A failure here, for
    // example because a vacuum locks the table, must not discard the finished documents.
    await edition.analyze().catch(() => undefined);
    const liveIsOfLostLog = !(await isOfThisLog(log, before));
    const compared = liveIsOfLostLog
      ? undefined
      : await comparison(log, before, edition, view, () => throwIfEnded(options, heartbeat));
    if (compared && compared.differences > 0 && !acceptDifferences) throw new RebuildDiffers(compared);
    do await builder.toTheEnd();
    while (!(await store.activate(edition, { liveIsOfLostLog })));
    return { edition: edition.id, ...builder.sofar(), compared };
  } catch (error) {
    // If `abandon` fails, the edition counts as interrupted, because its reports stop.
    await store.abandon(edition).catch(() => undefined);
    throw error;
  } finally {
    heartbeat.stop();
  }
}

/** @throws the reason of `signal`, and Overtaken */
function throwIfEnded({ signal }: RebuildOptions, heartbeat: Heartbeat): void {
  signal?.throwIfAborted();
  heartbeat.check();
}

/**
 * Whether the live edition was made from this log. Returns false if another log, or an older copy of this log, has
 * replaced the log of the live edition.
 */
async function isOfThisLog(log: EventLog, live: Edition<unknown> | undefined): Promise<boolean> {
  try {
    await validateCheckpoint(log, (await live?.status())?.checkpoint);
    return true;
  } catch (error) {
    if (isLogError(error, 'unknown-checkpoint')) return false;
    throw error;
  }
}

/**
 * Compares the new edition with the live edition; `undefined` if the live edition has another version or does not
 * exist.
 */
async function comparison<Draft, Event extends Message>(
  log: EventLog,
  before: Edition<Draft> | undefined,
  edition: Edition<Draft>,
  view: View<Draft, Event>,
  onPage: () => void,
): Promise<EditionComparison | undefined> {
  if (before?.version !== edition.version) return undefined;
  return compareEditions(log, before, edition, view, onPage);
}
