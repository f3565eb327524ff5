import type { Charter } from '@charter/application';
import { type Folded, type Immutable, momentAt } from '@charter/decider';
import { type Organization, organizationStream } from '@charter/organization';
import { type FlagSubject, targetingKeyOf } from '@charter/organization-view';
import { LRUCache } from 'lru-cache';
import type { ChangeBatch, ChangeReader } from '../changes/change-reader';
import { epochEnd, flagHash } from '../flag-etag';
import { flagsQuery } from '../flags-query';
import type { Clock } from '../../process/parts/clock';
import { createTurns } from '../../process/work/turns';
import type { OpenStream } from './open-streams';

/** A client that follows the flags of a subject. */
type FlagListener = Readonly<{
  stream: OpenStream;
  subject: FlagSubject;
  /** The hash of the flags that the client has; undefined if it is unknown. */
  seen: string | undefined;
  /** Whether the client had an earlier stream. It may have failed to evaluate the flags after the last notice. */
  isReconnect: boolean;
}>;

/**
 * Sends a notice to the clients of a subject when its printed flags have changed, or when its epoch has ended. Flags
 * change by an event, or when an override ends.
 */
export type FlagNotices = Readonly<{
  /** Adds a client. Once the promise resolves, the client gets every later change. @throws LogError */
  listen: (listener: FlagListener) => Promise<{ leave: () => void }>;
}>;

type Group = {
  subject: FlagSubject;
  listeners: Set<FlagListener>;
  /** The flags of the newest notice to all clients, or of the first client; undefined before both. */
  hash: string | undefined;
  /** The revision of the organization at the newest comparison, or for the first client; `Infinity` before both. */
  revision: number;
  /** The ends of the epoch and of the override, in milliseconds since 1970. */
  epochEnds: number;
  overrideEnds: number;
};

/** A group whose flags the process compares. If `always` is true, its clients get a notice even without a change. */
type Compared = Readonly<{ group: Group; always: boolean }>;
type OrganizationDocument = Folded<Immutable<Organization>>;
type Notice = Readonly<{ listener: FlagListener; text: string; revision: number }>;

/** The interval, in milliseconds, at which the process looks for ended epochs and overrides. */
const ENDS_MS = 200;
/** If a change causes more notices than this, the process spreads the notices over `SPREAD_MS` milliseconds. */
const SPREAD_FROM = 200;
const SPREAD_MS = 2_000;
const SLICES = 20;
/** The process gives other requests a turn of the event loop before each such number of groups. */
const GROUPS_PER_TURN = 50;
const DOCUMENTS_MAX = 10;

export function createFlagNotices(
  { view, settings, now }: Pick<Charter, 'view' | 'settings'> & Clock,
  reader: ChangeReader,
  countNotices: (notices: number) => void,
): FlagNotices {
  const groups = new Map<string, Map<string, Group>>();
  let following: Promise<{ leave: () => void }> | undefined;
  let ends: NodeJS.Timeout | undefined;
  /** The process reads the flags of groups one after the other. Otherwise an old hash could replace a newer hash. */
  let lastRead: Promise<unknown> = Promise.resolve();
  /** The newest documents, by stream, if the process can check their revisions synchronously. */
  const documents = new LRUCache<string, OrganizationDocument>({ max: DOCUMENTS_MAX });
  const turn = createTurns();
  /** The revision in the last notice to each client. */
  const sentRevisions = new WeakMap<FlagListener, number>();

  const documentOf = async (organization: string): Promise<OrganizationDocument | undefined> => {
    const stream = organizationStream(organization);
    const known = documents.get(stream);
    if (known && known.revision === view.revisionSync?.(stream)) return known;
    const document = await view.get(stream);
    if (document && view.revisionSync) documents.set(stream, document);
    return document;
  };
  /** The hash of the flags that the document contains; empty if the subject does not exist any more. */
  const currentOf = (subject: FlagSubject, document: OrganizationDocument | undefined) => {
    const at = now();
    const { flags, revision = 0, until } = document ? flagsQuery(subject, settings)(document, momentAt(at)) : {};
    const end = until == null ? Infinity : Date.parse(until);
    const hash = flags ? flagHash(subject, flags) : '';
    // An override was in force after the last event, and has ended since then.
    const hasOverrideEnded = document !== undefined && Date.parse(document.at) < end && end <= at;
    return { hash, revision, hasOverrideEnded, overrideEnds: end > at ? end : Infinity };
  };
  const send = async (listener: FlagListener, { text, revision }: Omit<Notice, 'listener'>) => {
    if (!(await listener.stream.isAllowed())) return;
    // A notice of a later slice must not ask a client for an older revision than a newer notice.
    if (revision < (sentRevisions.get(listener) ?? 0)) return;
    sentRevisions.set(listener, revision);
    listener.stream.send(text);
    countNotices(1);
  };
  const sendAll = (notices: readonly Notice[]) => {
    const slices = notices.length > SPREAD_FROM ? SLICES : 1;
    const size = Math.ceil(notices.length / slices);
    for (let slice = 0; slice < slices; slice += 1) {
      const its = notices.slice(slice * size, (slice + 1) * size);
      const begin = () => its.forEach(({ listener, ...notice }) => void send(listener, notice));
      if (slice === 0) begin();
      else setTimeout(begin, (slice * SPREAD_MS) / slices).unref();
    }
  };
  const take = async ({ changes }: ChangeBatch) => {
    for (const { organization } of changes) {
      const its = [...(groups.get(organization)?.values() ?? [])].map((group) => ({ group, always: false }));
      await compare(organization, its);
    }
  };
  const reportEnds = async () => {
    for (const [organization, its] of groups) {
      const ended = [...its.values()].flatMap((group) => {
        const isNewEpoch = group.epochEnds <= now();
        if (!isNewEpoch && group.overrideEnds > now()) return [];
        // changed before the first wait, so that the next run of the timer finds no end
        if (isNewEpoch) group.epochEnds = epochEnd(targetingKeyOf(group.subject), now());
        group.overrideEnds = Infinity;
        return [{ group, always: isNewEpoch }];
      });
      await compare(organization, ended);
    }
  };
  /**
   * Sends the notices for groups of one organization. The process reads the document once for all groups, and spreads
   * the notices of all groups together, because one change can concern many subjects with few clients each.
   */
  const compare = async (organization: string, its: readonly Compared[]): Promise<void> => {
    if (its.length === 0) return;
    const reading = lastRead.then(() => readNotices(organization, its));
    lastRead = reading.catch(() => undefined);
    sendAll(await reading);
  };
  const readNotices = async (organization: string, its: readonly Compared[]): Promise<readonly Notice[]> => {
    const document = await documentOf(organization);
    const notices: Notice[] = [];
    for (const [index, compared] of its.entries()) {
      if (index % GROUPS_PER_TURN === 0) await turn();
      notices.push(...noticesOf(compared, document));
    }
    return notices;
  };
  /**
   * The notices for all clients of a group. There are none if its flags are unchanged and `always` is false. After two
   * new events, or a new event and the end of an override, the flags may have changed and changed back, and a client
   * may have read them in between.
   */
  const noticesOf = ({ group, always }: Compared, document: OrganizationDocument | undefined): readonly Notice[] => {
    const { hash, revision, hasOverrideEnded, overrideEnds } = currentOf(group.subject, document);
    group.overrideEnds = overrideEnds;
    const mayHaveChangedBack = revision - group.revision + Number(hasOverrideEnded) > 1 && revision > group.revision;
    group.revision = revision;
    if (hash === group.hash && !mayHaveChangedBack && !always) return [];
    group.hash = hash;
    const text = printed(hash, revision);
    return [...group.listeners].map((listener) => ({ listener, text, revision }));
  };
  const unfollow = () => {
    void following?.then((one) => one.leave()).catch(() => undefined);
    following = undefined;
  };
  const end = () => {
    unfollow();
    for (const its of groups.values())
      for (const { listeners } of its.values()) for (const { stream } of listeners) stream.end();
  };
  const begin = () => {
    ends ??= setInterval(() => void reportEnds().catch(end), ENDS_MS).unref();
    const begun = reader.follow({ take, end });
    // The next client tries again, even while clients of an ended reader are still connected.
    begun.catch(() => {
      if (following === begun) following = undefined;
    });
    return begun;
  };
  const stop = () => {
    clearInterval(ends);
    ends = undefined;
    documents.clear();
    unfollow();
  };
  const groupOf = (subject: FlagSubject): Group => {
    const its = groups.get(subject.organization) ?? new Map<string, Group>();
    groups.set(subject.organization, its);
    const key = targetingKeyOf(subject);
    const known = its.get(key);
    if (known) return known;
    const [listeners, epochEnds] = [new Set<FlagListener>(), epochEnd(key, now())];
    const group: Group = { subject, listeners, hash: undefined, revision: Infinity, epochEnds, overrideEnds: Infinity };
    its.set(key, group);
    return group;
  };
  const leave = (listener: FlagListener) => {
    const { organization } = listener.subject;
    const its = groups.get(organization);
    const group = its?.get(targetingKeyOf(listener.subject));
    group?.listeners.delete(listener);
    if (group?.listeners.size === 0) its!.delete(targetingKeyOf(listener.subject));
    if (its?.size === 0) groups.delete(organization);
    if (groups.size === 0) stop();
  };

  return {
    listen: async (listener) => {
      const { stream, subject, seen, isReconnect } = listener;
      const group = groupOf(subject);
      group.listeners.add(listener);
      try {
        // a client may read the flags as soon as its stream is open
        const first = currentOf(subject, await documentOf(subject.organization));
        await (following ??= begin());
        const { hash, revision, overrideEnds } = currentOf(subject, await documentOf(subject.organization));
        group.overrideEnds = overrideEnds;
        // Another hash than the group's belongs to a change whose notice the other clients do not have yet.
        if (group.hash === undefined) [group.hash, group.revision] = [hash, revision];
        // The client has missed a change, or two events since the first read may have changed the flags and changed
        // them back.
        if (isReconnect || (seen ?? first.hash) !== hash || revision > first.revision + 1)
          await send(listener, { text: printed(hash, revision), revision });
        else stream.send(`id: ${hash}\n\n`);
      } catch (error) {
        leave(listener);
        throw error;
      }
      return { leave: () => leave(listener) };
    },
  };
}

/** A notice has no values: the client evaluates again. Its id lets a browser send `Last-Event-ID` at a reconnect. */
const printed = (hash: string, revision: number) =>
  `id: ${hash}\nevent: message\ndata: ${JSON.stringify({ type: 'refetchEvaluation', etag: `r${revision}` })}\n\n`;
