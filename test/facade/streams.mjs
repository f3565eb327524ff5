import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createRequire } from 'node:module';
import {
  appended,
  batchAppended,
  caughtUp,
  checkpoint,
  confirmation,
  nameOf,
  newEventOf,
  notFound,
  positionAt,
  readEvent,
  shown,
  wrongExpectedVersion,
} from './messages.mjs';

const { Metadata, status } = createRequire(import.meta.url)('@grpc/grpc-js');

/** The calls on streams, over the embedded log. `faults` says how they misbehave at the moment. */
export const streamCalls = (log, faults) => ({
  append: (call, answer) =>
    void faults.counted(append(log, faults, call)).then(
      (reply) => reply && answer(null, reply),
      (error) => answer(failureOf(error)),
    ),
  batchAppend: (call) => batchAppend(log, call),
  read: (call) =>
    void read(log, faults, call).then(
      () => call.end(),
      (error) => call.emit('error', failureOf(error)),
    ),
  delete: (call, answer) => answer(failure(status.UNIMPLEMENTED, 'Nothing is ever deleted.')),
  tombstone: (call, answer) => answer(failure(status.UNIMPLEMENTED, 'Nothing is ever deleted.')),
});

/** Answers with a reply, or with nothing when there is to be none. */
async function append(log, faults, call) {
  let options;
  const events = [];
  for await (const part of call) {
    if (part.hasOptions()) options = part.getOptions();
    else events.push(newEventOf(part.getProposedMessage()));
  }
  if (faults.take('lose')) return undefined;
  const dawdle = faults.take('dawdle');
  if (dawdle) await pause(dawdle.ms);
  const expected = expectedIn(options);
  const silent = faults.take('swallow');
  const late = faults.take('late');
  const broken = faults.take('break');
  const reply = await log
    .append(nameOf(options.getStreamIdentifier()), events, { expected })
    .then(appended, (error) => {
      if (error.kind === 'conflict') return wrongExpectedVersion(error);
      throw error;
    });
  if (late) await pause(late.ms);
  if (broken) throw { code: status.UNAVAILABLE, message: 'The connection broke.' };
  return silent ? undefined : reply;
}

/** Many appends on one call, each in parts; the answers come as they are ready. */
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

async function read(log, faults, call) {
  const options = call.request.getOptions();
  if (options.hasAll() && faults.denied()) throw { code: status.PERMISSION_DENIED, message: 'Access Denied' };
  if (options.hasSubscription()) return subscribe(log, faults, call, options);
  const events = options.hasStream() ? streamEvents(log, options) : await allEvents(log, options);
  const late = faults.take('slowRead');
  try {
    for await (const event of events) {
      if (late) await pause(late.ms);
      if (!(await write(call, readEvent(event)))) return undefined;
    }
  } catch (error) {
    if (error.kind !== 'not-found') throw error;
    await write(call, notFound(nameOf(options.getStream().getStreamIdentifier())));
  }
  return undefined;
}

const directionOf = (options) => (options.getReadDirection() === 1 ? 'backwards' : 'forwards');
const countOf = (options) => Math.min(Number(options.getCount()), Number.MAX_SAFE_INTEGER);

function streamEvents(log, options) {
  const stream = options.getStream();
  const from = stream.hasRevision() ? BigInt(stream.getRevision()) : stream.hasEnd() ? 'end' : 'start';
  const name = nameOf(stream.getStreamIdentifier());
  return log.readStream(name, { from, direction: directionOf(options), maxCount: countOf(options) });
}

/** As 23.10 refuses what is no position. */
async function allEvents(log, options) {
  const all = options.getAll();
  const direction = directionOf(options);
  const from = all.hasPosition() ? positionAt(all.getPosition().getCommitPosition()) : all.hasEnd() ? 'end' : 'start';
  const isBeyond = all.hasPosition() && from > (await log.head());
  if (from === undefined || (isBeyond && direction === 'backwards'))
    throw { code: status.UNKNOWN, message: 'Unexpected ReadAllResult: Error' };
  return log.readAll({ from, direction, maxCount: countOf(options) });
}

/** The history after a position, `caught-up`, and what comes, as a 23.10 server tells it. */
async function subscribe(log, faults, call, options) {
  const filter = filterIn(options);
  const iterator = log
    .subscribe({ after: await afterIn(log, options.getAll()), streamPrefixes: [] })
    [Symbol.asyncIterator]();
  call.on('cancelled', () => void iterator.return());
  const ended = faults.subscribed(call, iterator);
  await write(call, confirmation(randomUUID()));
  let matched = 0;
  let considered = 0;
  let isLive = false;
  for (let step = await iterator.next(); !step.done; step = await iterator.next()) {
    const { kind, event } = step.value;
    if (kind === 'caught-up') {
      // 23.10 keeps it back until an event has matched; see event-log.md A5.
      if (!isLive && matched > 0) await write(call, caughtUp());
      isLive = true;
    }
    if (kind !== 'event') continue;
    considered += 1;
    if (filter.matches(event)) {
      matched += 1;
      for (let times = faults.take('twice') ? 2 : 1; times > 0; times -= 1) await write(call, readEvent(event));
      if (isLive && matched === 1) await write(call, caughtUp());
    }
    // 23.10 tells how far it has looked only when it is live, later ones also on the way there.
    if ((isLive || faults.take('early')) && considered % (32 * filter.interval) === 0)
      await write(call, checkpoint(event.position));
    if (isLive && faults.take('tooSlow'))
      throw {
        code: status.ABORTED,
        message: 'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
      };
  }
  const why = ended();
  if (why) throw why;
}

function filterIn(options) {
  if (!options.hasFilter()) return { matches: () => true, interval: 1 };
  const filter = options.getFilter();
  const interval = filter.getCheckpointintervalmultiplier() || 1;
  const byStream = filter.hasStreamIdentifier();
  const expression = byStream ? filter.getStreamIdentifier() : filter.getEventType();
  const prefixes = expression.getPrefixList();
  const pattern = prefixes.length > 0 ? undefined : new RegExp(expression.getRegex(), 'u');
  const isGood = (text) => (pattern ? pattern.test(text) : prefixes.some((prefix) => text.startsWith(prefix)));
  return { matches: (event) => isGood(shown(byStream ? event.stream : event.type)), interval };
}

/** A server takes any position; a bare one is after what lies there. */
async function afterIn(log, all) {
  if (!all.hasPosition()) return all.hasEnd() ? 'end' : 'start';
  const position = positionAt(all.getPosition().getCommitPosition());
  if (position === undefined)
    throw { code: status.INVALID_ARGUMENT, message: 'Trying to read from an invalid position' };
  if (position > (await log.head())) return 'end';
  for await (const { id } of log.readAll({ from: position, maxCount: 1 }))
    return { store: await log.identity(), position, lastEvent: { position, id } };
  return 'end';
}

/** Resolves when there is room for more; false when nobody listens any more. */
async function write(call, message) {
  if (call.cancelled || call.destroyed) return false;
  if (!call.write(message)) {
    const waiting = new AbortController();
    const signal = waiting.signal;
    await Promise.race([once(call, 'drain', { signal }), once(call, 'cancelled', { signal })]).catch(() => undefined);
    waiting.abort();
  }
  return !call.cancelled;
}

function failureOf(error) {
  if (error.kind === 'too-large')
    return failure(status.INVALID_ARGUMENT, error.message, {
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': '1048576',
    });
  if (error.kind === 'invalid') return failure(status.INVALID_ARGUMENT, error.message);
  if (error.kind) return failure(status.UNAVAILABLE, error.message);
  return failure(error.code ?? status.UNKNOWN, error.message);
}

function failure(code, message, fields = {}) {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(fields)) metadata.set(name, value);
  return Object.assign(new Error(message), { code, details: message, metadata });
}
