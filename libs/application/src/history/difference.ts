import { type Folded, type Immutable, type Moment, emptyStream } from '@charter/decider';
import { UnknownRevision, type HistoryPoint } from '@charter/aggregates';
import { type Organization, organizationStream } from '@charter/organization';
import {
  type DifferenceBuilder,
  differenceFrom,
  type OrganizationDifference,
  organizationView,
} from '@charter/organization-view';
import type { Charter } from '../charter';

/** The two ends of a comparison. */
export type DifferenceRange = Readonly<{
  from: HistoryPoint;
  /** The later end. If absent, the later end is after all recorded events, at the moment `now`. */
  to?: HistoryPoint | undefined;
  /**
   * If given, both ends describe the organization at this moment: the earlier end with the events recorded up to
   * `from`, the later end with those up to `to`. If absent, each end describes the organization at that end's own
   * moment.
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
 * Computes the difference of an organization between two points of its history, in one pass over its stream. Undefined
 * if the organization does not exist at the later end.
 * @param gone aborts the read
 * @param onEvents gets the number of events read so far
 * @throws RangeNotInOrder, UnknownRevision, UnreadableStream, the reason of `gone`
 */
export async function readOrganizationDifference(
  { organizations }: Pick<Charter, 'organizations'>,
  id: string,
  { from, to, valid, now }: DifferenceRange,
  gone?: AbortSignal,
  onEvents?: (events: number) => void,
): Promise<OrganizationDifference | undefined> {
  if (to && isAfter(from, to)) throw new RangeNotInOrder();
  const stream = organizationStream(id);
  let comparison: DifferenceBuilder | undefined;
  const begunAt = (end: Folded<Organization>) => differenceFrom(end, momentOf(from, end), valid ?? null);

  const last = await organizations.replay(stream, { until: to, valid, signal: gone }, (event, before, apply) => {
    onEvents?.(event.revision + 1);
    if (!comparison && isBeyond(event, from)) comparison = begunAt(before);
    if (comparison && apply) comparison.take(event, apply);
    else apply?.();
  });
  const end: Folded<Immutable<Organization>> = last ?? emptyStream(organizationView);
  if (last && !comparison) refuseUnlessThere(stream, from, to, last);
  if (end.state.name === '') return undefined;
  return (comparison ?? begunAt(end)).end(end, to ? momentOf(to, end) : now);
}

const momentOf = (until: HistoryPoint, { at }: Folded<unknown>): Moment => ('moment' in until ? until.moment : at);

const isBeyond = (
  { revision, metadata }: { revision: number; metadata: { at: Moment } },
  until: HistoryPoint,
): boolean => ('moment' in until ? metadata.at > until.moment : revision > until.revision);

/**
 * Whether `from` is later than `to`; false if one end is a revision and the other end a moment, because only the events
 * show the order of these two ends.
 */
const isAfter = (from: HistoryPoint, to: HistoryPoint): boolean =>
  'moment' in from ? 'moment' in to && from.moment > to.moment : 'revision' in to && from.revision > to.revision;

/**
 * Throws if `from` is beyond the end of the stream. The caller calls this function when the read ended before `from`.
 */
function refuseUnlessThere(
  stream: string,
  from: HistoryPoint,
  to: HistoryPoint | undefined,
  last: Folded<unknown>,
): void {
  if ('revision' in from && from.revision > last.revision) {
    if (to) throw new RangeNotInOrder();
    throw new UnknownRevision(stream, from.revision, last.revision);
  }
  if (to && 'moment' in from && 'revision' in to && from.moment > last.at) throw new RangeNotInOrder();
}
