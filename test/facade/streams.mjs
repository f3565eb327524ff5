import { setTimeout as pause } from 'node:timers/promises';
import { appended, batchAppended, removed, wrongExpectedVersion } from './append-answers.mjs';
import { appendingTo, batchAppend, expectedIn, proposedEvents } from './appending.mjs';
import { failureOf, refuseUnauthorized, status, unexpectedVersion } from './failures.mjs';
import { commitOf, nameOf, notFound, positionAt, readEvent, shown } from './messages.mjs';
import { isLaterThan2310 } from './releases.mjs';
import { subscribe } from './subscriptions.mjs';
import { write } from './writing.mjs';

/** Answers the calls on streams from the embedded log. `faults` and `state` contain the faults that a test ordered. */
export function streamCalls(log, { contents, rules, faults, state }) {
  const append = appendingTo(log, contents, rules);
  const served = { log, contents, rules, faults, state };
  const guarded = async (call, work) => {
    refuseUnauthorized(call, state);
    return work();
  };
  const remove = (isForEver) => (call, answer) =>
    void guarded(call, () => removeStream(rules, call.request.getOptions(), isForEver)).then(
      (position) => answer(null, removed(isForEver, position)),
      (error) => answer(failureOf(error)),
    );
  return {
    append: (call, answer) =>
      void faults.counted(guarded(call, () => appendOne(append, faults, call))).then(
        (reply) => reply && answer(null, reply),
        (error) => answer(failureOf(error)),
      ),
    batchAppend: (call) =>
      void guarded(call, () => batchAppend(append, call, batchAppended)).catch((error) =>
        call.emit('error', failureOf(error)),
      ),
    read: (call) =>
      void guarded(call, () => read(served, call)).then(
        () => call.end(),
        (error) => call.emit('error', failureOf(error)),
      ),
    delete: remove(false),
    tombstone: remove(true),
  };
}

/** Resolves with the reply, or with undefined if no reply must be sent. */
async function appendOne(append, faults, call) {
  let options;
  const proposed = proposedEvents();
  for await (const part of call) {
    if (part.hasOptions()) options = part.getOptions();
    else proposed.add([part.getProposedMessage()]);
  }
  if (call.cancelled) return undefined; // the client cancelled the call, so no part of the append is written
  if (faults.take('lose')) return undefined;
  const dawdle = faults.take('dawdle');
  if (dawdle) await pause(dawdle.ms);
  const refused = faults.take('refuse');
  if (refused) throw refused;
  const [silent, late, broken, cut] = ['swallow', 'late', 'break', 'cut'].map((fault) => faults.take(fault));
  const stream = nameOf(options.getStreamIdentifier());
  const reply = await append(stream, proposed.events, expectedIn(options)).then(appended, (error) => {
    if (error.kind === 'conflict') return wrongExpectedVersion(error);
    throw error;
  });
  if (cut) faults.cut();
  if (late) await pause(late.ms);
  if (broken) throw { code: status.UNAVAILABLE, message: 'The connection broke.', ...broken.as };
  return silent ? undefined : reply;
}

/** Deletes a stream until the next append, or for ever. @returns the position of the event that records the deletion */
async function removeStream(rules, options, isForEver) {
  const stream = nameOf(options.getStreamIdentifier());
  rules.refuseTombstoned(stream);
  const expected = expectedIn(options);
  const last = await rules.lastOf(stream);
  const isMissing = last < 0n || rules.isSoftDeleted(stream);
  const isExpected = { any: true, no_stream: isMissing, stream_exists: !isMissing }[expected] ?? expected === last;
  if (!isExpected) throw unexpectedVersion(shown(stream), expected, last);
  return isForEver ? rules.entomb(stream) : rules.softDelete(stream);
}

async function read(served, call) {
  const { faults, contents } = served;
  const options = call.request.getOptions();
  const refused = faults.take('refuseRead');
  if (refused) throw refused;
  if (options.hasAll() && faults.denied()) throw { code: status.PERMISSION_DENIED, message: 'Access Denied' };
  if (options.hasSubscription()) return subscribe(served, call, options);
  if (options.hasAll() && countOf(options) === 0) return new Promise((resolve) => call.on('cancelled', resolve));
  const events = options.hasStream() ? streamEvents(served, options) : await allEvents(served, options);
  const late = faults.take('slowRead');
  try {
    for await (const event of events) {
      if (late) await pause(late.ms);
      if (!(await write(call, readEvent(event, contents, faults.isGarbled(event))))) return undefined;
    }
  } catch (error) {
    if (error.kind !== 'not-found') throw error;
    await write(call, notFound(nameOf(options.getStream().getStreamIdentifier())));
  }
  return undefined;
}

const directionOf = (options) => (options.getReadDirection() === 1 ? 'backwards' : 'forwards');
const countOf = (options) => Math.min(Number(options.getCount()), Number.MAX_SAFE_INTEGER);

/** The events of a stream, without those that its metadata hides. */
async function* streamEvents({ log, rules }, options) {
  const stream = options.getStream();
  const name = nameOf(stream.getStreamIdentifier());
  rules.refuseTombstoned(name);
  if (rules.isSoftDeleted(name)) throw { kind: 'not-found' };
  let left = countOf(options);
  if (left === 0) throw { code: status.UNKNOWN, message: 'Unexpected ReadStreamResult: Error' };
  const direction = directionOf(options);
  const asked = stream.hasRevision() ? BigInt(stream.getRevision()) : stream.hasEnd() ? 'end' : 'start';
  if (!rules.hasMetadata(name)) {
    yield* log.readStream(name, { from: asked, direction, maxCount: left });
    return;
  }
  const { first, holds } = await rules.visible(name);
  const isBefore = direction === 'forwards' && asked !== 'end' && (asked === 'start' || asked < first);
  for await (const event of log.readStream(name, { from: isBefore ? first : asked, direction })) {
    if (event.revision < first) return;
    if (!holds(event)) continue;
    yield event;
    if (--left === 0) return;
  }
}

/**
 * Reads `$all`. Like a server, refuses a position where no event begins. Only a read forwards may begin beyond the end:
 * it returns no events.
 */
async function allEvents({ log, state }, options) {
  const all = options.getAll();
  const direction = directionOf(options);
  const maxCount = countOf(options);
  if (!all.hasPosition()) return log.readAll({ from: all.hasEnd() ? 'end' : 'start', direction, maxCount });
  const commit = all.getPosition().getCommitPosition();
  if (BigInt(commit) === 0n) return log.readAll({ from: 'start', direction, maxCount });
  const isBeyond = BigInt(commit) > BigInt(commitOf(await log.head()));
  if (isBeyond && direction === 'forwards') return [];
  const from = isBeyond ? undefined : positionAt(commit);
  const result = isLaterThan2310(state) ? 'InvalidPosition' : 'Error';
  if (from === undefined) throw { code: status.UNKNOWN, message: `Unexpected ReadAllResult: ${result}` };
  return log.readAll({ from, direction, maxCount });
}
