import type { Charter } from '@charter/application';
import type { EventVisibility } from '../../history/feed/visibility';
import type { Clock } from '../../process/parts/clock';
import type { OpenStream } from '../streams/open-streams';
import { createChangedKeys, type EntitlementChange } from './changed-keys';
import type { ChangeBatch, ChangeReader, ChangedOrganization } from './change-reader';

/** A client that follows the entitlements of organizations. */
type EntitlementListener = Readonly<{
  stream: OpenStream;
  sight: EventVisibility;
  /** The only organization of the client; undefined if it follows several organizations. */
  only: string | undefined;
}>;

/** Sends the changed entitlements of organizations to all clients of the process. Computes each change once. */
export type EntitlementNotices = Readonly<{
  /** Adds a client. Once the promise resolves, the client gets every later change. @throws LogError */
  listen: (listener: EntitlementListener) => Promise<{ leave: () => void }>;
}>;

export function createEntitlementNotices(
  stores: Pick<Charter, 'view' | 'log' | 'snapshotReplay'> & Clock,
  reader: ChangeReader,
  countNotices: (notices: number) => void,
): EntitlementNotices {
  const ofAll = new Set<EntitlementListener>();
  const ofOne = new Map<string, Set<EntitlementListener>>();
  let following: Promise<{ leave: () => void }> | undefined;

  const listeners = () => [...ofAll, ...[...ofOne.values()].flatMap((set) => [...set])];
  const setOf = (only: string | undefined): Set<EntitlementListener> => {
    if (only === undefined) return ofAll;
    const its = ofOne.get(only) ?? new Set();
    ofOne.set(only, its);
    return its;
  };
  const follow = () => {
    const changedKeys = createChangedKeys(stores);
    const take = async (batch: ChangeBatch) => {
      const changed = await changedKeys(batch.changes);
      const notices = batch.changes.map((change, index): Notice => {
        const its = changed[index];
        return { change, text: its && printedNotice(its) };
      });
      const theirs = new Map(notices.map((notice) => [notice.change.organization, notice]));
      await Promise.all([
        ...[...ofAll].map((listener) => sendOrEnd(listener, notices, batch)),
        ...[...theirs].flatMap(([id, notice]) =>
          [...(ofOne.get(id) ?? [])].map((listener) => sendOrEnd(listener, [notice], batch)),
        ),
      ]);
    };
    const end = () => {
      following = undefined;
      for (const { stream } of listeners()) stream.end();
    };
    return reader.follow({ take, end });
  };

  /** The failure of one client must not end the others. */
  const sendOrEnd = (listener: EntitlementListener, notices: readonly Notice[], batch: ChangeBatch) =>
    sendTo(listener, notices, batch).catch(() => listener.stream.end());
  const sendTo = async (listener: EntitlementListener, notices: readonly Notice[], { before, after }: ChangeBatch) => {
    const { stream, sight } = listener;
    const visible: string[] = [];
    if (!(await stream.isAllowed())) return;
    for (const { change, text } of notices) if ((await seesAny(sight, change)) && text) visible.push(text);
    if (visible.length === 0) return;
    countNotices(visible.length);
    stream.send(withCursors(visible, before, after));
  };

  return {
    listen: async (listener) => {
      const its = setOf(listener.only);
      its.add(listener);
      const leave = () => {
        its.delete(listener);
        if (listener.only !== undefined && its.size === 0) ofOne.delete(listener.only);
        if (ofAll.size > 0 || ofOne.size > 0) return;
        void following?.then((one) => one.leave());
        following = undefined;
      };
      const begun = (following ??= follow());
      try {
        await begun;
      } catch (error) {
        if (following === begun) following = undefined; // the next client may already follow again
        leave();
        throw error;
      }
      return { leave };
    },
  };
}

type Notice = Readonly<{ change: ChangedOrganization; text: string | undefined }>;

/**
 * Only the last notice has the cursor `after`. A client that has received only the first notices then resumes before
 * all of them.
 */
export const withCursors = (notices: readonly string[], before: string | undefined, after: string | undefined) =>
  notices.map((text, index) => withCursor(text, index === notices.length - 1 ? after : before)).join('');

const withCursor = (text: string, cursor: string | undefined) =>
  cursor === undefined ? text : `id: ${cursor}\n${text}`;

export const printedNotice = (change: EntitlementChange): string =>
  `event: change\ndata: ${JSON.stringify(change)}\n\n`;

/** Calls `sees` for every event, because `sees` detects from the events that the caller has become a member. */
async function seesAny({ sees }: EventVisibility, { events }: ChangedOrganization): Promise<boolean> {
  let isVisible = false;
  for (const event of events) isVisible = (await sees(event)) || isVisible;
  return isVisible;
}
