import { APPEND_DATA_MAX, deadlineExceeded, streamDeleted, tooLarge } from './failures.mjs';
import { nameOf, proposedEvent, shown } from './messages.mjs';

/** Returns the function that appends to the embedded log and follows the rules of a real server. */
export function appendingTo(log, contents, rules) {
  /**
   * @returns revision and position of the last event; no position if nothing was written
   * @throws a failure of `failures.mjs`, or a conflict
   */
  return async (stream, events, expected) => {
    rules.refuseTombstoned(stream);
    const isDeleted = rules.isSoftDeleted(stream);
    if (isDeleted && expected === 'stream_exists') throw streamDeleted(shown(stream));
    if (events.length === 0) return nothing(stream, expected);
    if (isDeleted && expected === 'no_stream') {
      const known = await knownAt(stream, events);
      if (known !== undefined) return { revision: known };
    }
    const packed = contents.packed(events);
    const place = await log.append(stream, packed, { expected: await sameFor(stream, expected) }).catch((error) => {
      throw error.kind === 'conflict' ? conflict(expected, error.actual) : error;
    });
    rules.note({ stream, data: packed.at(-1).data, position: place.position });
    if (isDeleted && !place.repeated) await rules.revive(stream, place.revision - BigInt(events.length) + 1n);
    return place;
  };

  /** Answers an append without events, which writes nothing. */
  async function nothing(stream, expected) {
    const last = await rules.lastOf(stream);
    const isRefused = typeof expected === 'bigint' ? expected !== last : expected === 'stream_exists' && last < 0n;
    if (isRefused) throw conflict(expected, last < 0n ? 'no_stream' : last);
    return { revision: last };
  }

  /** Translates an expected revision for the embedded log, which has neither deletions nor metadata of streams. */
  async function sameFor(stream, expected) {
    if (expected === 'no_stream' && rules.isSoftDeleted(stream)) return rules.lastOf(stream);
    const isMetadataEnough = expected === 'stream_exists' && rules.hasMetadata(stream);
    return isMetadataEnough && (await rules.lastOf(stream)) < 0n ? 'no_stream' : expected;
  }

  /** The revision of the last of these events, if the stream begins with exactly these events; undefined otherwise. */
  async function knownAt(stream, events) {
    let last = -1n;
    for await (const { id, revision } of log.readStream(stream, { maxCount: events.length })) {
      if (id !== events[Number(revision)].id) return undefined;
      last = revision;
    }
    return last + 1n === BigInt(events.length) ? last : undefined;
  }
}

const conflict = (expected, actual) => ({ kind: 'conflict', expected, actual });

/**
 * Collects the events of one append, which may come in several messages. The limit applies to the data of the events
 * only.
 */
export function proposedEvents() {
  const events = [];
  let size = 0;
  return {
    events,
    add: (messages) => {
      for (const message of messages) {
        size += message.getData_asU8().length;
        if (size > APPEND_DATA_MAX) throw tooLarge;
        events.push(proposedEvent(message));
      }
    },
  };
}

/** Serves one call that carries many appends, each in several messages. Answers each append after it is written. */
export function batchAppend(append, call, answerOf) {
  const begun = new Map();
  call.on('data', (part) => {
    const correlation = part.getCorrelationId();
    const id = correlation.getString();
    if (part.hasOptions()) begun.set(id, { options: part.getOptions(), proposed: proposedEvents() });
    const whole = begun.get(id);
    if (!whole) return; // the façade has refused this append before this message came
    const identifier = whole.options.getStreamIdentifier();
    const answer = (outcome) => {
      if (!call.cancelled && !call.writableEnded) call.write(answerOf(correlation, identifier, outcome));
    };
    const left = millisecondsLeft(whole.options);
    try {
      if (part.hasOptions() && left <= SHORTEST_MS) throw deadlineExceeded;
      whole.proposed.add(part.getProposedMessagesList());
    } catch (error) {
      begun.delete(id);
      answer({ error });
      // After refusing an unusable event, a server answers the same append a second time, at the deadline of the
      // append.
      if (error.reason) setTimeout(answer, Math.min(left, WRITE_TIMEOUT_MS), { error: deadlineExceeded }).unref();
      return;
    }
    if (!part.getIsFinal()) return;
    begun.delete(id);
    named(identifier)
      .then((stream) => append(stream, whole.proposed.events, expectedIn(whole.options)))
      .then(answer, (error) => answer({ error }));
  });
  call.on('end', () => call.end());
}

const named = async (identifier) => nameOf(identifier);

/**
 * The milliseconds until the deadline of an append. The client sends the deadline as a moment; without a deadline, the
 * limit of the server applies.
 */
function millisecondsLeft(options) {
  const deadline = options.getDeadline();
  return deadline ? deadline.toDate().getTime() - Date.now() : WRITE_TIMEOUT_MS;
}
const WRITE_TIMEOUT_MS = 2_000;
/** A server refuses an append whose deadline is at most this many milliseconds away. */
const SHORTEST_MS = 1;

export const expectedIn = (options) => {
  if (options.hasStreamPosition?.()) return BigInt(options.getStreamPosition());
  if (options.hasRevision?.()) return BigInt(options.getRevision());
  if (options.hasNoStream()) return 'no_stream';
  return options.hasStreamExists() ? 'stream_exists' : 'any';
};
