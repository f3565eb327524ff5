import { status } from './failures.mjs';
import { shown } from './messages.mjs';

/**
 * Keeps track of streams that an outside tool has deleted, because the embedded log cannot delete. Their events stay in
 * `$all`, as on a real server until a scavenge.
 */
export function goneStreams(log) {
  const gone = new Map();

  const refuseTombstoned = (stream) => {
    if (gone.get(stream)?.isForEver)
      throw {
        code: status.FAILED_PRECONDITION,
        message: `Event stream '${shown(stream)}' is deleted.`,
        fields: { exception: 'stream-deleted', 'stream-name': shown(stream) },
      };
  };
  return {
    /**
     * Soft-deletes a stream: the next append continues it without its earlier events. With `isForEver`, a tombstone
     * forbids every later append.
     */
    remove: async (stream, isForEver) => {
      for await (const { revision } of log.readStream(stream, { direction: 'backwards', maxCount: 1 }))
        gone.set(stream, { after: revision, isForEver });
    },
    refuseTombstoned,
    /** Whether this event can still be read in its stream. */
    isThere: ({ stream, revision }) => revision > (gone.get(stream)?.after ?? -1n),
    isEmpty: async (stream) => {
      const { after } = gone.get(stream) ?? {};
      if (after === undefined) return false;
      for await (const { revision } of log.readStream(stream, { direction: 'backwards', maxCount: 1 }))
        return revision <= after;
      return true;
    },
    /**
     * The revision that the embedded log must expect. If the client expects no stream and the stream was deleted, that
     * is its last revision before the deletion.
     */
    expectedOf: (stream, expected) => {
      const { after } = gone.get(stream) ?? {};
      return after !== undefined && expected === 'no_stream' ? after : expected;
    },
    wasBefore: (stream, revision) => revision <= (gone.get(stream)?.after ?? -1n),
  };
}
