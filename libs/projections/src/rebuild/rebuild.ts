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
  /** How the documents stand to those they replace; nothing where there were none of this version and this log. */
  compared: EditionComparison | undefined;
}>;

export type RebuildOptions = Readonly<{
  onProgress?: (progress: RebuildProgress) => void;
  /** Called while it lasts, several times in a lease's time. */
  onHeartbeat?: () => Promise<unknown>;
  /** Documents held in memory before they are written. */
  documentsMax?: number;
  /** Lets the new documents answer although those that answer now are not what the log says. */
  acceptDifferences?: boolean;
  /** Takes the work from another rebuild, which ends. */
  takeOver?: boolean;
  signal?: AbortSignal;
}>;

/** A rebuild came to other documents than those that answer, at equal revisions and by the same version of the view. */
export class RebuildDiffers extends Error {
  constructor(readonly compared: EditionComparison) {
    const { differences, different } = compared;
    const [first] = different;
    super(
      `The documents that answer now are not what this code makes of the log: ${differences} differ, ` +
        `the first is ${first?.stream}, revision ${first?.revision}: ${first?.why}. They go on answering.`,
    );
    this.name = 'RebuildDiffers';
  }
}

/**
 * Folds the whole log into a new edition beside the live one, compares the two, and lets the new one answer once it has
 * come as far. Begun anew after a crash; the edition before stays until it is dropped.
 * @throws Poisoned at the first event that cannot be folded; Differing; BeingBuilt; Overtaken when another rebuild began
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
  const beating = startHeartbeat(async () => {
    await edition.report(reached);
    await onHeartbeat?.();
  });
  try {
    await store.sweep();
    const filling = await buildEdition(log, edition, view, {
      documentsMax: options.documentsMax ?? 10_000,
      onPage: (progress) => {
        look(options, beating);
        reached = progress.position;
        options.onProgress?.(progress);
      },
    });
    await filling.toTheEnd();
    const liveIsOfLostLog = !(await isOfThisLog(log, before));
    const compared = liveIsOfLostLog
      ? undefined
      : await comparison(log, before, edition, view, () => look(options, beating));
    if (compared && compared.differences > 0 && !acceptDifferences) throw new RebuildDiffers(compared);
    do await filling.toTheEnd();
    while (!(await store.activate(edition, { liveIsOfLostLog })));
    return { edition: edition.id, ...filling.sofar(), compared };
  } catch (why) {
    await store.abandon(edition).catch(() => undefined); // it is not heard of any longer either way
    throw why;
  } finally {
    beating.stop();
  }
}

/** @throws when it shall not go on */
function look({ signal }: RebuildOptions, beating: Heartbeat): void {
  signal?.throwIfAborted();
  beating.check();
}

/** Whether what answers now was made from this log, as far as it has come: not where an older copy of it was restored. */
async function isOfThisLog(log: EventLog, live: Edition<unknown> | undefined): Promise<boolean> {
  try {
    await validateCheckpoint(log, (await live?.status())?.checkpoint);
    return true;
  } catch (why) {
    if (isLogError(why, 'unknown-checkpoint')) return false;
    throw why;
  }
}

/** Against what answers now, if that was made by this version. */
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
