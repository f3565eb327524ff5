import { type Folded, type Immutable, type Moment, nothingYet } from '@charter/decider';
import { UnknownRevision, type Until } from '@charter/aggregates';
import { type Organization, organizationStream } from '@charter/organization';
import { type Comparison, comparisonFrom, type Difference, organizationView } from '@charter/organization-view';
import type { Charter } from '../charter';

/** Between what is compared. */
export type Between = Readonly<{
  from: Until;
  /** Absent: all that is recorded, at the moment `now`. */
  to?: Until | undefined;
  /** The moment that both ends answer for; absent: each for its own. */
  valid?: Moment | undefined;
  now: Moment;
}>;

/** `from` lies after `to`. */
export class NotInOrder extends Error {
  constructor() {
    super('The first moment must not be after the second.');
    this.name = 'NotInOrder';
  }
}

/**
 * What changed in an organization between two moments, from one reading of its stream. Undefined: it is not there, or was
 * not yet.
 * @param gone ends the reading once it fires
 * @param onEvents is told how many events were read
 * @throws NotInOrder; UnknownRevision, Unreadable, why `gone` fired
 */
export async function differenceOf(
  { organizations }: Pick<Charter, 'organizations'>,
  id: string,
  { from, to, valid, now }: Between,
  gone?: AbortSignal,
  onEvents?: (events: number) => void,
): Promise<Difference | undefined> {
  if (to && isAfter(from, to)) throw new NotInOrder();
  const stream = organizationStream(id);
  let comparison: Comparison | undefined;
  const begunAt = (end: Folded<Organization>) => comparisonFrom(end, momentOf(from, end), valid ?? null);

  const last = await organizations.past(stream, { until: to, valid, gone }, (event, before, apply) => {
    onEvents?.(event.revision + 1);
    if (!comparison && isBeyond(event, from)) comparison = begunAt(before);
    if (comparison && apply) comparison.take(event, apply);
    else apply?.();
  });
  const end: Folded<Immutable<Organization>> = last ?? nothingYet(organizationView);
  if (last && !comparison) refuseUnlessThere(stream, from, to, last);
  if (end.state.name === '') return undefined;
  return (comparison ?? begunAt(end)).end(end, to ? momentOf(to, end) : now);
}

const momentOf = (until: Until, { at }: Folded<unknown>): Moment => ('moment' in until ? until.moment : at);

const isBeyond = ({ revision, metadata }: { revision: number; metadata: { at: Moment } }, until: Until): boolean =>
  'moment' in until ? metadata.at > until.moment : revision > until.revision;

/** As far as the two can be compared before anything is read. */
const isAfter = (from: Until, to: Until): boolean =>
  'moment' in from ? 'moment' in to && from.moment > to.moment : 'revision' in to && from.revision > to.revision;

/** Nothing was read after `from`: it is the other end, or beyond it. */
function refuseUnlessThere(stream: string, from: Until, to: Until | undefined, last: Folded<unknown>): void {
  if ('revision' in from && from.revision > last.revision) {
    if (to) throw new NotInOrder();
    throw new UnknownRevision(stream, from.revision, last.revision);
  }
  if (to && 'moment' in from && 'revision' in to && from.moment > last.at) throw new NotInOrder();
}
