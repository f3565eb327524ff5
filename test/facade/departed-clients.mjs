import { status } from './failures.mjs';
import { shown } from './messages.mjs';

/**
 * Streams that an outside tool has deleted, which the embedded log cannot do. Their events stay in `$all`, as on a
 * server until a scavenge.
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
    /** A soft delete: the next append revives the stream without its old events. `isForEver`: a tombstone. */
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
     * The expected revision for the embedded log. A known append gets its success without a position. A new stream may
     * begin at the revision after the deleted one.
     */
    expectedOf: (stream, expected) => {
      const { after } = gone.get(stream) ?? {};
      return after !== undefined && expected === 'no_stream' ? after : expected;
    },
    wasBefore: (stream, revision) => revision <= (gone.get(stream)?.after ?? -1n),
  };
}
