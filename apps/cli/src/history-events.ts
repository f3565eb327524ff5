import { countBy, type StoredEvent, type StreamReading, type Until } from '@charter/event-log';
import type { OrganizationEvent } from '@charter/organization';
import { metadataOf } from './event-sentence';

/** Which events of a history are asked for, and in which order. */
export type Choice = Readonly<{
  asOf?: Until;
  from?: Until;
  /** The same as `asOf`. */
  to?: Until;
  type?: readonly OrganizationEvent['type'][];
  /** By id or kind. */
  actor?: string;
  newest?: true;
  limit?: number;
}>;

/**
 * One after the other. Both ends belong to it, and what lies between them is all that is read.
 * @param newest the stream's newest revision
 * @param onSeen is told how many events were read, chosen or not; ends the reading by throwing
 */
export async function* eventsChosen(
  log: StreamReading,
  stream: string,
  choice: Choice,
  newest: number,
  onSeen: (events: number) => void = () => undefined,
): AsyncGenerator<StoredEvent, void, undefined> {
  const { from, asOf, to = asOf, limit = Infinity } = choice;
  const first =
    from === undefined
      ? 0
      : 'revision' in from
        ? from.revision
        : await countBy(log, stream, newest, from.moment, 'excluded');
  const last =
    to === undefined
      ? newest
      : 'revision' in to
        ? Math.min(to.revision, newest)
        : (await countBy(log, stream, newest, to.moment, 'included')) - 1;
  if (first > last) return;

  const where = choice.newest
    ? ({ from: BigInt(last), direction: 'backwards' } as const)
    : ({ from: BigInt(first), direction: 'forwards' } as const);
  let [seen, taken] = [0, 0];
  for await (const event of log.readStream(stream, { ...where, maxCount: last - first + 1 })) {
    onSeen((seen += 1));
    if (!isWanted(event, choice)) continue;
    yield event;
    if ((taken += 1) >= limit) return;
  }
}

function isWanted(event: StoredEvent, { type, actor }: Choice): boolean {
  if (type !== undefined && !type.some((wanted) => wanted === event.type)) return false;
  const by = metadataOf(event).actor;
  return actor === undefined || by?.id === actor || by?.kind === actor;
}
