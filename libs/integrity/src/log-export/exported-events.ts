import { believed, eventsExported, isExported } from '../stream-export';
import { type CarriedEvent, type Closing, type Line, NotCarried, notCarried, parsed, REWRITTEN } from './export-format';
import { type Chain, chainFrom } from '../chain';
import { EVERYTHING, rootOf } from '../signed-checkpoint';
import { type Sum, tallied } from './log-checksum';

/** What the first line of a whole log says. */
export const FORMAT = { charter: 'events', version: 1 };

/**
 * The events of a file, a whole log or the export of one organization; every revision follows the one before it. What the
 * last line says is believed only if all of it agrees.
 * @throws NotCarried with the line and the reason
 */
export async function* eventsIn(lines: AsyncIterable<string>): AsyncGenerator<CarriedEvent, Closing, undefined> {
  const reading = lines[Symbol.asyncIterator]();
  const first = await reading.next();
  if (first.done === true) throw new NotCarried('The file is empty.');
  const all = again(first.value, reading);
  return yield* isExported(parsed(first.value, 1)) ? eventsExported(all) : eventsOfAll(all);
}

async function* again(first: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** Everything that a log held, and what it amounts to. Memory: a few words for each stream. */
async function* eventsOfAll(lines: AsyncIterable<string>): AsyncGenerator<CarriedEvent, Closing, undefined> {
  const tally = tallied();
  const chains = new Map<string, Chain>();
  let number = 0;
  let first: First | undefined;
  let closing: Closing | undefined;
  for await (const text of lines) {
    number += 1;
    const line = parsed(text, number);
    if (closing) throw notCarried('it comes after the end', number);
    if (!first) first = beginning(line, text);
    else if ('end' in line) closing = ending(line, text, number, { first, sum: tally.sum(), chains });
    else {
      const event = eventIn(line, text, number);
      const { stream } = event;
      const chain = chains.get(stream) ?? chainFrom(stream);
      const reason = chain.follow(event);
      if (reason !== undefined) throw notCarried(reason, number, { stream, at: Number(event.revision) });
      chains.set(stream, chain);
      tally.add(event);
      yield event;
    }
  }
  if (closing) return closing;
  const reason = 'the last line is missing: the file was cut off';
  throw new NotCarried(`The file was cut off after line ${number}.`, { line: number + 1, reason });
}

/** What the first line says of where the rest comes from. */
type First = Readonly<{ store: string; at: string }>;

function beginning(line: Line, text: string): First {
  const { charter, version, store, at } = line;
  if (charter !== FORMAT.charter || version !== FORMAT.version)
    throw new NotCarried('This is no file of events that this version of Charter can read.', {
      line: 1,
      reason: 'it does not begin as a file of events that this version of Charter can read',
    });
  if (typeof store !== 'string' || typeof at !== 'string' || JSON.stringify({ ...FORMAT, store, at }) !== text)
    throw notCarried(REWRITTEN, 1);
  return { store, at };
}

function eventIn(line: Line, text: string, number: number): CarriedEvent {
  const { stream, revision, id, type, data, metadata } = line;
  const isEvent =
    typeof stream === 'string' &&
    typeof id === 'string' &&
    typeof type === 'string' &&
    typeof data === 'object' &&
    data !== null;
  if (!isEvent || typeof revision !== 'string' || !/^(0|[1-9]\d{0,18})$/.test(revision))
    throw notCarried('it is no event', number);
  if (spelt({ stream, revision, id, type, data, metadata }) !== text)
    throw notCarried(REWRITTEN, number, { stream, at: Number(revision) });
  return { stream, revision: BigInt(revision), id, type, data, metadata, bytes: Buffer.byteLength(text) };
}

type Found = Readonly<{ first: First; sum: Sum; chains: ReadonlyMap<string, Chain> }>;

/** The last line: the sum of everything, and since it is signed, a checkpoint over all heads. */
function ending(line: Line, text: string, number: number, { first, sum, chains }: Found): Closing {
  if (spelt(line['end']) !== spelt(sum))
    throw notCarried('the events before it do not amount to what it says: the file was changed', number);
  const { checkpoint: note, key } = line as Readonly<{ checkpoint?: string; key?: string }>;
  if (spelt({ end: sum, checkpoint: note, key }) !== text) throw notCarried(REWRITTEN, number);
  const whole = { events: sum.events, streams: sum.streams, head: sum.hash };
  if (note === undefined && key === undefined) return { ...whole, signed: undefined };
  if (typeof note !== 'string' || typeof key !== 'string') throw notCarried('it is no signed checkpoint', number);
  const checkpoint = believed(note, key, number);
  const heads = [...chains.keys()].sort().map((stream) => ({ stream, head: chains.get(stream)!.head() }));
  const { store, at, covers, events, root } = checkpoint;
  if (store !== first.store || at !== first.at || covers !== EVERYTHING)
    throw notCarried('the checkpoint is not of what the first line says', number);
  if (events !== sum.events || root !== rootOf(heads))
    throw notCarried('the checkpoint was signed over other events', number);
  return { ...whole, signed: { checkpoint, key } };
}

/** As it is written. Undefined for what is nested too deep to be written by Charter. */
function spelt(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
