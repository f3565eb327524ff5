import { randomUUID } from 'node:crypto';
import { invalidPosition, status, thrownByHandler } from './failures.mjs';
import { caughtUp, checkpoint, commitOf, confirmation, positionAt, readEvent, shown, streamOf } from './messages.mjs';
import { isLaterThan2310 } from './releases.mjs';
import { write } from './writing.mjs';

/** Sends the events after a position, then `caught-up`, then new events, like a server of this release. */
export async function subscribe({ log, contents, faults, state }, call, options) {
  const filter = filterIn(options);
  const iterator = log
    .subscribe({ after: await afterIn(log, options.getAll(), state), streamPrefixes: [] })
    [Symbol.asyncIterator]();
  call.on('cancelled', () => void iterator.return());
  const ended = faults.subscribed(call, iterator);
  await write(call, confirmation(randomUUID()));
  let matched = 0;
  let considered = 0;
  let isLive = false;
  const goLive = async () => {
    if (filter && matched === 0 && isLaterThan2310(state)) await write(call, checkpoint(BEFORE_THE_FIRST));
    if (filter && faults.take('beyond')) await write(call, checkpoint(commitOf(await log.head()) + '00'));
    await write(call, caughtUp());
  };
  for (let step = await iterator.next(); !step.done; step = await iterator.next()) {
    const { kind, event } = step.value;
    if (kind === 'caught-up' && !isLive) {
      isLive = true;
      if (matched > 0 || !state.lateCaughtUp) await goLive();
    }
    if (kind !== 'event') continue;
    considered += 1;
    if (!filter || filter.matches(event)) {
      matched += 1;
      for (let times = faults.take('twice') ? 2 : 1; times > 0; times -= 1)
        await write(call, readEvent(event, contents, faults.isGarbled(event)));
      if (isLive && matched === 1 && state.lateCaughtUp) await goLive();
    }
    if (filter && considered % (32 * filter.interval) === 0 && (isLive || !state.lateCheckpoints))
      await write(call, checkpoint(commitOf(event.position)));
    if (isLive && faults.take('tooSlow'))
      throw {
        code: status.ABORTED,
        message: 'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
      };
  }
  const why = ended();
  if (why) throw why;
}

/** While a filter has matched no event, release 24.2 sends checkpoints with this position: -1 as an unsigned number. */
const BEFORE_THE_FIRST = String(2n ** 64n - 1n);

/** The filter; undefined if every event matches. A server sends checkpoints only to filtered subscriptions. */
function filterIn(options) {
  if (!options.hasFilter()) return undefined;
  const filter = options.getFilter();
  const interval = filter.getCheckpointintervalmultiplier() || 1;
  const byStream = filter.hasStreamIdentifier();
  const expression = byStream ? filter.getStreamIdentifier() : filter.getEventType();
  const prefixes = expression.getPrefixList();
  const pattern = prefixes.length > 0 ? undefined : new RegExp(expression.getRegex(), 'u');
  const isGood = (text) => (pattern ? pattern.test(text) : prefixes.some((prefix) => text.startsWith(prefix)));
  return { matches: (event) => isGood(byStream ? streamOf(event) : shown(event.type)), interval };
}

/**
 * The event after which the subscription begins. Like a server, accepts only a position beyond the end or a position
 * where an event begins.
 */
async function afterIn(log, all, state) {
  if (!all.hasPosition()) return all.hasEnd() ? 'end' : 'start';
  const commit = all.getPosition().getCommitPosition();
  if (BigInt(commit) > BigInt(commitOf(await log.head()))) return 'end';
  if (BigInt(commit) === 0n) return 'start';
  const position = positionAt(commit);
  if (position === undefined) throw isLaterThan2310(state) ? invalidPosition : thrownByHandler(invalidPosition.message);
  for await (const { id } of log.readAll({ from: position, maxCount: 1 }))
    return { store: await log.identity(), position, lastEvent: { position, id } };
  return 'end';
}
