import { status } from './failures.mjs';
import { shown } from './messages.mjs';

/** Streams that an outside tool has deleted; the embedded log cannot. What is gone stays in `$all`, as it does until a scavenge. */
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
    /** Softly: the next append brings it back, without its old events. `isForEver`: nothing does. */
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
    /** A known append to it is answered as done, and without a place. A new stream may begin where the old one ended. */
    expectedOf: (stream, expected) => {
      const { after } = gone.get(stream) ?? {};
      return after !== undefined && expected === 'no_stream' ? after : expected;
    },
    wasBefore: (stream, revision) => revision <= (gone.get(stream)?.after ?? -1n),
  };
}
