import { createHash } from 'node:crypto';
import { isLogError, type StreamReading, type Verdict, verifyChain, verifyDocument, watched } from '@charter/event-log';
import { organizationOf, organizationStream, organizationStreams } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import type { Charter } from './charter';

type Stores = Pick<Charter, 'log' | 'view'>;
type Broken = Readonly<{ ok: false; at: number | null; reason: string }>;

export type AllChains = Readonly<{
  organizations: number;
  /** Audit streams of accounts and keys. */
  trails: number;
  /** Of all of them. */
  events: number;
  /** SHA-256 over `stream head\n` of every stream, in the order of their names. */
  head: string;
  broken: readonly Readonly<{ organization?: string; stream?: string; at: number | null; reason: string }>[];
}>;

/** Whatever Charter chains. */
const chained = [organizationStreams, 'account-', 'key-'];

/**
 * One organization's chain; nothing if neither the log nor the read model has ever heard of it.
 * @param gone ends the reading once it fires
 * @throws why `gone` fired
 */
export async function verifyOne(
  { log, view }: Stores,
  id: string,
  gone?: AbortSignal,
): Promise<Verdict | Broken | undefined> {
  const stream = organizationStream(id);
  const known = (await (await witness({ log, view }))?.revisions([stream]))?.get(stream) ?? -1;
  const verdict = await verdictOn(log, stream, known + 1, gone);
  return verdict.ok && verdict.events === 0 ? undefined : verdict;
}

/** What the read model keeps of one organization: whether it is what a replay of the stream gives. */
export type ReadModelVerdict = Readonly<{ ok: true; revision: number }> | Readonly<{ ok: false; reason: string }>;

/**
 * Compares the read model of one organization with a full replay of its stream; nothing while there is no read model that
 * was made from this very log.
 * @throws why `gone` fired
 */
export async function verifyReadModel(
  { log, view }: Stores,
  id: string,
  gone?: AbortSignal,
): Promise<ReadModelVerdict | undefined> {
  const stream = organizationStream(id);
  const live = await witness({ log, view });
  if (!live) return undefined;
  const difference = await verifyDocument(watched(log, gone), live, organizationView, stream);
  if (difference) return { ok: false, reason: difference.why };
  return { ok: true, revision: (await live.revisions([stream])).get(stream) ?? -1 };
}

/** Every chain: of organizations, accounts and keys; and whether the store would drop events of one. `begin` is told how many there are; what it answers, how many are done. */
export async function verifyAll(
  { log, view }: Stores,
  begin: (streams: number) => (done: number) => void,
): Promise<AllChains> {
  const { expected, flaw } = await eventsSeen({ log, view });
  const done = begin(expected.size);
  const heads = createHash('sha256');
  const broken: AllChains['broken'][number][] = flaw ? [flaw] : [];
  let [events, streams, trails] = [0, 0, 0];
  for (const stream of [...expected.keys()].sort()) {
    const verdict = await verdictOn(log, stream, expected.get(stream)!);
    if (verdict.ok) {
      events += verdict.events;
      heads.update(`${stream} ${verdict.head}\n`);
    } else broken.push({ ...called(stream), at: verdict.at, reason: verdict.reason });
    if (!stream.startsWith(organizationStreams)) trails += 1;
    done((streams += 1));
  }
  return { organizations: streams - trails, trails, events, head: heads.digest('hex'), broken };
}

const called = (stream: string) =>
  stream.startsWith(organizationStreams) ? { organization: organizationOf(stream) } : { stream };

/** How many events each stream must have: as many as the whole log shows, and as many as the read model has folded. */
async function eventsSeen({ log, view }: Stores) {
  const expected = new Map<string, number>();
  const live = await witness({ log, view });
  for (let after: string | undefined = ''; live && after !== undefined;) {
    const { documents } = await live.page(after, 500);
    for (const { stream, document } of documents) expected.set(stream, document.revision + 1);
    after = documents.at(-1)?.stream;
  }
  try {
    for await (const { stream, revision } of log.readAll({ streamPrefixes: chained }))
      expected.set(stream, Math.max(expected.get(stream) ?? 0, Number(revision) + 1));
  } catch (error) {
    return { expected, flaw: { at: null, reason: unreadable(error) } };
  }
  return { expected, flaw: undefined };
}

/** The read model, where it was made from this very log. */
async function witness({ log, view }: Stores) {
  const live = await view.live();
  const { checkpoint } = (await live?.standing()) ?? {};
  return checkpoint?.store === (await log.identity()) ? live : undefined;
}

/** A chain that was cut off at its end is whole in itself; what others have seen of it tells. */
async function verdictOn(
  log: Charter['log'],
  stream: string,
  expected: number,
  gone?: AbortSignal,
): Promise<Verdict | Broken> {
  const verdict = await chainOf(watched(log, gone), stream);
  const dropped = (await log.forgets?.(stream)) ?? [];
  if (dropped.length > 0)
    return { ok: false, at: null, reason: `the event store drops its events: ${dropped.join(', ')} in its metadata` };
  if (!verdict.ok || verdict.events >= expected) return verdict;
  return { ok: false, at: verdict.events, reason: `its end is missing: ${expected} events were seen of it` };
}

async function chainOf(log: StreamReading, stream: string): Promise<Verdict | Broken> {
  try {
    return await verifyChain(log.readStream(stream));
  } catch (error) {
    if (isLogError(error, 'not-found')) return { ok: true, events: 0, head: '' };
    return { ok: false, at: null, reason: unreadable(error) };
  }
}

/** What cannot be read at all is not verified. Anything else, such as a lock, says nothing about it. */
function unreadable(error: unknown): string {
  if (!isLogError(error, 'internal')) throw error;
  return `it cannot be read: ${error.message}`;
}
