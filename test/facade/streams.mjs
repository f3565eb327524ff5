import { setTimeout as pause } from 'node:timers/promises';
import { failureOf, refuseUnauthorized, status } from './failures.mjs';
import { goneStreams } from './departed-clients.mjs';
import {
  appended,
  batchAppended,
  nameOf,
  newEventOf,
  notFound,
  positionAt,
  readEvent,
  removed,
  wrongExpectedVersion,
} from './messages.mjs';
import { subscribe } from './subscriptions.mjs';
import { write } from './writing.mjs';

/** Answers the calls on streams from the embedded log. `faults` and `state` contain the faults that a test ordered. */
export function streamCalls(log, faults, state) {
  const gone = goneStreams(log);
  const guarded = async (call, work) => {
    refuseUnauthorized(call, state);
    return work();
  };
  const remove = (isForEver) => (call, answer) => {
    const stream = nameOf(call.request.getOptions().getStreamIdentifier());
    gone.remove(stream, isForEver).then(
      () => answer(null, removed(isForEver)),
      (error) => answer(failureOf(error)),
    );
  };
  return {
    append: (call, answer) =>
      void faults.counted(guarded(call, () => append(log, faults, gone, call))).then(
        (reply) => reply && answer(null, reply),
        (error) => answer(failureOf(error)),
      ),
    batchAppend: (call) => batchAppend(log, call),
    read: (call) =>
      void guarded(call, () => read(log, faults, gone, call)).then(
        () => call.end(),
        (error) => call.emit('error', failureOf(error)),
      ),
    delete: remove(false),
    tombstone: remove(true),
  };
}

/** Resolves with the reply, or with undefined if no reply must be sent. */
async function append(log, faults, gone, call) {
  let options;
  const events = [];
  for await (const part of call) {
    if (part.hasOptions()) options = part.getOptions();
    else events.push(newEventOf(part.getProposedMessage()));
  }
  if (call.cancelled) return undefined; // the client cancelled the call, so no part of the append is written
  if (faults.take('lose')) return undefined;
  const dawdle = faults.take('dawdle');
  if (dawdle) await pause(dawdle.ms);
  const refused = faults.take('refuse');
  if (refused) throw refused;
  const [silent, late, broken, cut] = ['swallow', 'late', 'break', 'cut'].map((fault) => faults.take(fault));
  const reply = await appendedTo(log, gone, nameOf(options.getStreamIdentifier()), events, expectedIn(options));
  if (cut) faults.cut();
  if (late) await pause(late.ms);
  if (broken) throw { code: status.UNAVAILABLE, message: 'The connection broke.', ...broken.as };
  return silent ? undefined : reply;
}

async function appendedTo(log, gone, stream, events, expected) {
  gone.refuseTombstoned(stream);
  try {
    // Like the real server: if the client expects no stream and the stream was deleted, it still recognizes a repeated
    // append by the ids of the deleted events.
    const known = gone.expectedOf(stream, expected) === expected ? undefined : await knownAt(log, stream, events);
    if (known !== undefined && gone.wasBefore(stream, known)) return appended({ revision: known });
    const place = await log.append(stream, events, { expected: gone.expectedOf(stream, expected) });
    return appended(gone.wasBefore(stream, place.revision) ? { revision: place.revision } : place);
  } catch (error) {
    if (error.kind === 'conflict') return wrongExpectedVersion(error);
    throw error;
  }
}

/** The revision of the last of these events, if the stream begins with them. */
async function knownAt(log, stream, events) {
  let last = -1n;
  for await (const { id, revision } of log.readStream(stream, { maxCount: events.length })) {
    if (id !== events[Number(revision)].id) return undefined;
    last = revision;
  }
  return last + 1n === BigInt(events.length) ? last : undefined;
}

/** One call that carries many appends, each in several messages. Each append is answered as soon as it is written. */
function batchAppend(log, call) {
  const begun = new Map();
  call.on('data', (part) => {
    const correlation = part.getCorrelationId();
    const id = correlation.getString();
    const whole = begun.get(id) ?? { options: part.getOptions(), events: [] };
    begun.set(id, whole);
    whole.events.push(...part.getProposedMessagesList().map(newEventOf));
    if (!part.getIsFinal()) return;
    begun.delete(id);
    const identifier = whole.options.getStreamIdentifier();
    const answer = (outcome) => void call.write(batchAppended(correlation, identifier, outcome));
    const expected = expectedIn(whole.options);
    log.append(nameOf(identifier), whole.events, { expected }).then(answer, (error) => answer({ error }));
  });
  call.on('end', () => call.end());
}

const expectedIn = (options) => {
  if (options.hasStreamPosition?.()) return BigInt(options.getStreamPosition());
  if (options.hasRevision?.()) return BigInt(options.getRevision());
  if (options.hasNoStream()) return 'no_stream';
  return options.hasStreamExists() ? 'stream_exists' : 'any';
};

async function read(log, faults, gone, call) {
  const options = call.request.getOptions();
  const refused = faults.take('refuseRead');
  if (refused) throw refused;
  if (options.hasAll() && faults.denied()) throw { code: status.PERMISSION_DENIED, message: 'Access Denied' };
  if (options.hasSubscription()) return subscribe(log, faults, call, options);
  const events = options.hasStream() ? streamEvents(log, gone, options) : await allEvents(log, options);
  const late = faults.take('slowRead');
  try {
    for await (const event of events) {
      if (late) await pause(late.ms);
      if (!(await write(call, readEvent(event, faults.isGarbled(event))))) return undefined;
    }
  } catch (error) {
    if (error.kind !== 'not-found') throw error;
    await write(call, notFound(nameOf(options.getStream().getStreamIdentifier())));
  }
  return undefined;
}

const directionOf = (options) => (options.getReadDirection() === 1 ? 'backwards' : 'forwards');
const countOf = (options) => Math.min(Number(options.getCount()), Number.MAX_SAFE_INTEGER);

async function* streamEvents(log, gone, options) {
  const stream = options.getStream();
  const from = stream.hasRevision() ? BigInt(stream.getRevision()) : stream.hasEnd() ? 'end' : 'start';
  const name = nameOf(stream.getStreamIdentifier());
  gone.refuseTombstoned(name);
  if (await gone.isEmpty(name)) throw { kind: 'not-found' };
  for await (const event of log.readStream(name, { from, direction: directionOf(options), maxCount: countOf(options) }))
    if (gone.isThere(event)) yield event;
}

/** Reads `$all`. Refuses an invalid position, as a 23.10 server does. */
async function allEvents(log, options) {
  const all = options.getAll();
  const direction = directionOf(options);
  const from = all.hasPosition() ? positionAt(all.getPosition().getCommitPosition()) : all.hasEnd() ? 'end' : 'start';
  const isBeyond = all.hasPosition() && from > (await log.head());
  if (from === undefined || (isBeyond && direction === 'backwards'))
    throw { code: status.UNKNOWN, message: 'Unexpected ReadAllResult: Error' };
  return log.readAll({ from, direction, maxCount: countOf(options) });
}
