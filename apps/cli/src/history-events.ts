import type { StoredEvent, StreamReading, Until } from '@charter/event-log';
import type { OrganizationEvent } from '@charter/organization';
import { metadataOf } from './event-sentence';

/** Which events of a history are asked for, and in which order. */
export type Choice = Readonly<{
  asOf?: Until;
  from?: Until;
  /** The same as `asOf`. */
  to?: Until;
  type?: readonly OrganizationEvent['type'][];
  actor?: string;
  newest?: true;
  limit?: number;
}>;

/**
 * One after the other, read no further than is needed. Both ends belong to it.
 * @param last the newest revision
 * @param onSeen is told how many events were read, chosen or not; ends the reading by throwing
 */
export async function* eventsChosen(
  log: StreamReading,
  stream: string,
  choice: Choice,
  last: number,
  onSeen: (events: number) => void = () => undefined,
): AsyncGenerator<StoredEvent, void, undefined> {
  const { newest, limit = Infinity } = choice;
  const { isBeyond, isWanted } = filterOf(choice);
  const start = newest ? upTo(choice, last) : since(choice);
  const options = { from: BigInt(start), direction: newest ? 'backwards' : 'forwards' } as const;
  let [seen, taken] = [0, 0];
  for await (const event of log.readStream(stream, options)) {
    onSeen((seen += 1));
    if (isBeyond(event)) return;
    if (!isWanted(event)) continue;
    yield event;
    if ((taken += 1) >= limit) return;
  }
}

const since = ({ from }: Choice) => (from && 'revision' in from ? from.revision : 0);
const upTo = ({ asOf, to = asOf }: Choice, last: number) =>
  to && 'revision' in to ? Math.min(to.revision, last) : last;

function filterOf({ asOf, from, to = asOf, type, actor, newest }: Choice) {
  const isBefore = (event: StoredEvent, place: Until) =>
    'moment' in place ? momentOf(event) < place.moment : event.revision < BigInt(place.revision);
  const isAfter = (event: StoredEvent, place: Until) =>
    'moment' in place ? momentOf(event) > place.moment : event.revision > BigInt(place.revision);
  const isEarly = (event: StoredEvent) => from !== undefined && isBefore(event, from);
  const isLate = (event: StoredEvent) => to !== undefined && isAfter(event, to);
  return {
    isBeyond: newest ? isEarly : isLate,
    isWanted: (event: StoredEvent) =>
      !isEarly(event) &&
      !isLate(event) &&
      (type === undefined || type.some((wanted) => wanted === event.type)) &&
      (actor === undefined || metadataOf(event).actor?.id === actor),
  };
}

const momentOf = (event: StoredEvent) => metadataOf(event).at ?? '';
