import { type ProjectionCheckpoint, isLogError, abortableRead } from '@charter/event-log';
import { validateCheckpoint, type ViewVerification, verifyDocument, verifyView } from '@charter/projections';
import { organizationStream } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import type { Charter } from '../charter';
import { peopleBookmark } from '../restore-detection/events-since';

type Stores = Pick<Charter, 'log' | 'view'>;

/** The number of a stream's events that the read model has folded; 0 if there is no read model of this log. */
export async function foldedEventCount(stores: Stores, stream: string): Promise<number> {
  const revisions = await (await readModelOf(stores))?.revisions([stream]);
  return (revisions?.get(stream) ?? -1) + 1;
}

/** Yields, for every stream in the read model, the number of folded events. The streams are sorted by name. */
export async function* foldedStreams(stores: Stores): AsyncGenerator<Readonly<{ stream: string; events: number }>> {
  const live = await readModelOf(stores);
  for (let after: string | undefined = ''; live && after !== undefined;) {
    const { documents } = await live.page(after, PAGE);
    for (const { stream, document } of documents) yield { stream, events: document.revision + 1 };
    after = documents.at(-1)?.stream;
  }
}

/**
 * Why events seem to be missing at the end of the log; undefined if none seem to be missing. The log must contain the
 * last event that the read model has handled, and the event that the bookmark in the people tables names. After a
 * restore of the log, the check of its end fails until the read model and the bookmark are rebuilt.
 */
export async function missingEndReason(stores: Stores & Pick<Charter, 'database'>): Promise<string | undefined> {
  const { log, database } = stores;
  const status = await (await readModelOf(stores))?.status();
  for (const handled of [status?.checkpoint, await peopleBookmark(database.marks)])
    if (handled && !(await isThere(log, handled)))
      return `the log has lost or replaced the event at position ${handled.position}, which Charter had already handled`;
  return undefined;
}

/**
 * Thrown when the log lacks events that the read model or the people tables contain. Charter does not export a log that
 * lacks events.
 */
export class LogIncomplete extends Error {
  constructor(readonly reason: string) {
    super(`The event log is incomplete: ${reason}. No export was signed.`);
    this.name = 'LogIncomplete';
  }
}

async function isThere(log: Charter['log'], handled: ProjectionCheckpoint): Promise<boolean> {
  // A checkpoint of another log cannot prove that this log lacks an event.
  if (handled.store !== (await log.identity())) return true;
  try {
    await validateCheckpoint(log, handled);
    return true;
  } catch (error) {
    if (isLogError(error, 'unknown-checkpoint')) return false;
    throw error;
  }
}

/** Whether an organization's document in the read model equals a replay of the organization's stream. */
export type ReadModelVerdict = Readonly<{ ok: true; revision: number }> | Readonly<{ ok: false; reason: string }>;

/**
 * Compares the document of one organization with a full replay of the organization's stream. Undefined if the read
 * model was built from another log or by another version of the code.
 * @throws the reason of `gone`
 */
export async function verifyReadModel(
  { log, view }: Stores,
  id: string,
  gone?: AbortSignal,
): Promise<ReadModelVerdict | undefined> {
  const stream = organizationStream(id);
  const live = await comparable({ log, view });
  if (!live) return undefined;
  const difference = await verifyDocument(abortableRead(log, gone), live, organizationView, stream);
  if (difference) return { ok: false, reason: difference.why };
  return { ok: true, revision: (await live.revisions([stream])).get(stream) ?? -1 };
}

/** Compares the documents of all organizations with replays, and reports missing documents. */
export async function verifyReadModels(
  { log, view }: Stores,
  onDocuments: (documents: number) => void,
): Promise<ViewVerification | undefined> {
  const live = await comparable({ log, view });
  return (
    live &&
    verifyView(log, live, organizationView, (done) => {
      if (done.step === 'documents') onDocuments(done.documents);
    })
  );
}

/**
 * The read model; undefined if another version of the code made it. A document that an older version made may differ
 * from a replay although nothing is wrong.
 */
async function comparable(stores: Stores) {
  const live = await readModelOf(stores);
  return live?.version === organizationView.version ? live : undefined;
}

/** The read model; undefined if it was made from another log. */
async function readModelOf({ log, view }: Stores) {
  const live = await view.live();
  const { checkpoint } = (await live?.status()) ?? {};
  return checkpoint?.store === (await log.identity()) ? live : undefined;
}

/** The number of documents on one page. */
const PAGE = 500;
