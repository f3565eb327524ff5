import { type Folded, type Moment, emptyStream } from '@charter/decider';
import { UnknownRevision, type HistoryPoint } from '@charter/aggregates';
import { type Organization, organizationStream } from '@charter/organization';
import {
  type DifferenceBuilder,
  differenceFrom,
  type OrganizationDifference,
  organizationView,
} from '@charter/organization-view';
import type { Charter } from '../charter';
import type { EventVisitor } from './snapshots/snapshot-replay';
import { revisionUntil } from './snapshots/state-reader';

type DifferenceParts = Pick<Charter, 'log' | 'snapshotReplay'>;

/** The two ends of a comparison. */
export type DifferenceRange = Readonly<{
  from: HistoryPoint;
  /** The later end. If absent, the later end is after all recorded events, at the moment `now`. */
  to?: HistoryPoint | undefined;
  /**
   * If given, both ends describe the organization at this moment. The earlier end contains the events recorded up to
   * `from`, the later end contains the events recorded up to `to`. If absent, each end describes the organization at
   * that end's own moment.
   */
  valid?: Moment | undefined;
  now: Moment;
}>;

/** Thrown when `from` is later than `to`. */
export class RangeNotInOrder extends Error {
  constructor() {
    super('The first moment must not be later than the second moment.');
    this.name = 'RangeNotInOrder';
  }
}

/**
 * Computes the difference of an organization between two points of its history. Begins with the newest cached state
 * that is not later than the earlier end, and reads only the events after this state. Undefined if the organization
 * does not exist at the later end.
 * @param gone aborts the read
 * @param onEvents gets the number of events read so far
 * @throws RangeNotInOrder, UnknownRevision, UnreadableStream, the reason of `gone`
 */
export async function readOrganizationDifference(
  { log, snapshotReplay }: DifferenceParts,
  id: string,
  { from, to, valid, now }: DifferenceRange,
  gone?: AbortSignal,
  onEvents?: (events: number) => void,
): Promise<OrganizationDifference | undefined> {
  const stream = organizationStream(id);
  const [first, last] = await revisionsOf(log, stream, from, to);
  let comparison: DifferenceBuilder | undefined;
  const begunAt = (end: Folded<Organization>) => differenceFrom(end, momentOf(from, end), valid ?? null);

  const visit: EventVisitor = (event, before, fold, isInForce) => {
    onEvents?.(event.revision + 1);
    if (event.revision > first) comparison ??= begunAt(before);
    if (comparison && isInForce) comparison.take(event, fold);
    else fold();
  };
  const begin = () => {
    comparison = undefined;
    return visit;
  };
  // The replay reads at least one event, because the event's hash shows whether another log has replaced this log.
  const range = { from: Math.min(first, last - 1), to: last, valid };
  const end = (last >= 0 && (await snapshotReplay.replay(stream, range, begin, gone))) || emptyStream(organizationView);
  if (end.state.name === '') return undefined;
  const until = to ? momentOf(to, end) : now;
  // The last event can be later than `now`, if the clock was set back.
  if (!comparison && 'moment' in from && from.moment > until && from.moment > end.at) throw new RangeNotInOrder();
  return (comparison ?? begunAt(end)).end(end, until);
}

/**
 * The revisions of the two ends; −1 before the first event.
 * @throws RangeNotInOrder, UnknownRevision
 */
async function revisionsOf(
  log: Charter['log'],
  stream: string,
  from: HistoryPoint,
  to: HistoryPoint | undefined,
): Promise<readonly [first: number, last: number]> {
  if (to && isAfter(from, to)) throw new RangeNotInOrder();
  const last = await revisionUntil(log, stream, to);
  if (last < 0) return [-1, -1];
  if ('moment' in from) return [await revisionUntil(log, stream, from), last];
  if (from.revision <= last) return [from.revision, last];
  throw to ? new RangeNotInOrder() : new UnknownRevision(stream, from.revision, last);
}

const momentOf = (until: HistoryPoint, { at }: Folded<unknown>): Moment => ('moment' in until ? until.moment : at);

/**
 * Whether `from` is later than `to`. Returns false for a revision and a moment, because only the events show the order
 * of these two ends.
 */
const isAfter = (from: HistoryPoint, to: HistoryPoint): boolean =>
  'moment' in from ? 'moment' in to && from.moment > to.moment : 'revision' in to && from.revision > to.revision;
