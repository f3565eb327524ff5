import { randomUUID } from 'node:crypto';
import { status } from './failures.mjs';
import { caughtUp, checkpoint, confirmation, positionAt, readEvent, shown } from './messages.mjs';
import { write } from './writing.mjs';

/** Sends the events after a position, then `caught-up`, then new events, as a 23.10 server does. */
export async function subscribe(log, faults, call, options) {
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
      // A 23.10 server sends `caught-up` only after an event has matched; see event-log.md A5.
      if (!isLive && matched > 0) await write(call, caughtUp());
      isLive = true;
    }
    if (kind !== 'event') continue;
    considered += 1;
    if (filter.matches(event)) {
      matched += 1;
      for (let times = faults.take('twice') ? 2 : 1; times > 0; times -= 1)
        await write(call, readEvent(event, faults.isGarbled(event)));
      if (isLive && matched === 1) await write(call, caughtUp());
    }
    // 23.10 sends checkpoints only when the subscription is live; later releases also send them before.
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

/** Where the subscription begins. Like a server, accepts any position; the commit position alone names the event. */
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
