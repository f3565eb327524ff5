import { type ProjectionCheckpoint, isLogError, abortableRead } from '@charter/event-log';
import { validateCheckpoint, type ViewVerification, verifyDocument, verifyView } from '@charter/projections';
import { organizationStream } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import type { Charter } from '../charter';
import { peopleBookmark } from '../restore-detection/events-since';

type Stores = Pick<Charter, 'log' | 'view'>;

/** How many events the read model has folded of a stream; 0 where there is none that was made from this very log. */
export async function foldedEventCount(stores: Stores, stream: string): Promise<number> {
  const revisions = await (await madeFrom(stores))?.revisions([stream]);
  return (revisions?.get(stream) ?? -1) + 1;
}

/** The same of every stream that it knows, in the order of their names. */
export async function* foldedStreams(stores: Stores): AsyncGenerator<Readonly<{ stream: string; events: number }>> {
  const live = await madeFrom(stores);
  for (let after: string | undefined = ''; live && after !== undefined;) {
    const { documents } = await live.page(after, PAGE);
    for (const { stream, document } of documents) yield { stream, events: document.revision + 1 };
    after = documents.at(-1)?.stream;
  }
}

/**
 * Why the log cannot be whole: the read model, or whoever followed what is told of people, has handled an event of it that is
 * not there. Undefined: nobody knows of one. What an older copy of the log was put back for must be rebuilt first.
 */
export async function missingEndReason(stores: Stores & Pick<Charter, 'documents'>): Promise<string | undefined> {
  const { log, documents } = stores;
  const standing = await (await madeFrom(stores))?.status();
  for (const handled of [standing?.checkpoint, await peopleBookmark(documents.marks)])
    if (handled && !(await isThere(log, handled)))
      return `the log ends before what was handled of it, or is another one there: position ${handled.position}`;
  return undefined;
}

/** A log that lacks what was handled of it is not exported. */
export class LogIncomplete extends Error {
  constructor(readonly reason: string) {
    super(`The event log is not whole: ${reason}. Nothing is signed over it.`);
    this.name = 'LogIncomplete';
  }
}

async function isThere(log: Charter['log'], handled: ProjectionCheckpoint): Promise<boolean> {
  if (handled.store !== (await log.identity())) return true; // of another log, which says nothing about this one
  try {
    await validateCheckpoint(log, handled);
    return true;
  } catch (error) {
    if (isLogError(error, 'unknown-checkpoint')) return false;
    throw error;
  }
}

/** What the read model keeps of one organization: whether it is what a replay of the stream gives. */
export type ReadModelVerdict = Readonly<{ ok: true; revision: number }> | Readonly<{ ok: false; reason: string }>;

/**
 * Compares the read model of one organization with a full replay of its stream; nothing while there is no read model of this
 * code that was made from this very log.
 * @throws why `gone` fired
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

/** The same of all organizations, and whether one is missing. */
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

/** Of an earlier version a replay gives other documents. */
async function comparable(stores: Stores) {
  const live = await madeFrom(stores);
  return live?.version === organizationView.version ? live : undefined;
}

/** The read model, where it was made from this very log. */
async function madeFrom({ log, view }: Stores) {
  const live = await view.live();
  const { checkpoint } = (await live?.status()) ?? {};
  return checkpoint?.store === (await log.identity()) ? live : undefined;
}

/** Documents read at once. */
const PAGE = 500;
