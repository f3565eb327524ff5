import type { Folded, Immutable, Moment, Recorded } from '@charter/decider';
import {
  type ChangedPart,
  changedPart,
  each,
  entitles,
  Feature,
  type Organization,
  type OrganizationEvent,
  Resource,
} from '@charter/organization';
import { z } from 'zod';
import { At } from '../answer-fields';
import { type Cause, causeOf, causeCollector, causesFields } from './causes';
import { changedEntitlements, entitlementSnapshotAt, LimitSnapshot } from '../entitlement-snapshot';
import { patchBetween, patchFields } from './json-patch';
import { statePart, recordedState, sectionOf } from '../recorded-state';

/** One of the two ends of a difference. */
const DifferenceEnd = z.strictObject({
  revision: z.int().min(-1).meta({ description: '-1: no event was recorded yet' }),
  at: At.nullable().meta({
    description: 'The moment at which this revision was recorded; null before the first event',
  }),
  moment: At.meta({
    description: 'The requested moment; if the caller requested a revision, the moment of this revision',
  }),
});
export type DifferenceEnd = Immutable<z.infer<typeof DifferenceEnd>>;

/** An operation of JSON Patch (RFC 6902), with the previous value and the causes of the change. */
const StateLine = z.strictObject({ ...patchFields, ...causesFields });
export type StateLine = Immutable<z.infer<typeof StateLine>>;

const changed = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({ before: value, after: value, ...causesFields });

/**
 * The changes between two points of an organization's history, with the events and actors that caused them (`api.md`,
 * History).
 */
export const differenceFields = {
  from: DifferenceEnd,
  to: DifferenceEnd,
  valid: At.nullable().meta({
    description:
      'The moment for which both states are computed; null: each state is computed for the moment of its own end',
  }),
  events: z.int().min(0).meta({ description: 'The number of events between the ends that the comparison includes' }),
  state: z.array(StateLine).meta({ description: 'A JSON Patch that turns the first state into the second state' }),
  entitlements: z.strictObject({
    limits: z.strictObject(each(Resource.options, () => changed(LimitSnapshot).exactOptional())),
    features: z.strictObject(each(Feature.options, () => changed(z.boolean()).exactOptional())),
  }),
};
export type OrganizationDifference = Immutable<z.infer<z.ZodObject<typeof differenceFields>>>;

/**
 * Builds a difference. The builder begins with the state at the start of the compared range. The caller passes each
 * event up to the end of the range, and the builder does not store the events.
 */
export type DifferenceBuilder = Readonly<{
  /** @param apply folds the event into the state with which the builder began */
  take: (event: Recorded<OrganizationEvent>, apply: () => Folded<Organization>) => void;
  end: (to: Folded<Organization>, moment: Moment) => OrganizationDifference;
}>;

/** @param moment the moment of `from`; if `valid` is given, both ends describe the moment `valid` instead */
export function differenceFrom(from: Folded<Organization>, moment: Moment, valid: Moment | null): DifferenceBuilder {
  const before = recordedState(from.state);
  const entitledBefore = entitlementSnapshotAt(from.state, valid ?? moment);
  const start = endAt(from, moment);
  const began = from.revision < 0 ? '' : moment;
  const stateCauses = causeCollector<string>();
  const entitledCauses = causeCollector<Resource | Feature>();
  let [entitled, current, events] = [entitledBefore, from.state, 0];

  const noteEntitled = (at: Moment, cause: Cause | undefined) => {
    const now = entitlementSnapshotAt(current, valid ?? at);
    if (cause) for (const name of changedEntitlements(entitled, now)) entitledCauses.add(name, cause);
    entitled = now;
  };
  /** Adds the override as a cause if the override has ended at or before this moment. */
  const noteTime = (at: Moment) => {
    if (valid === null && current.override?.until != null) noteEntitled(at, endOf(current, at));
  };

  return {
    take: (event, apply) => {
      const part = changedPart(event);
      const { at } = event.metadata;
      noteTime(at);
      const previous = statePart(current, part);
      current = apply().state;
      const cause = causeOf(event, began);
      for (const path of pathsBetween(part, previous, statePart(current, part))) stateCauses.add(path, cause);
      if (entitles(event)) noteEntitled(at, cause);
      events += 1;
    },
    end: (to, toMoment) => {
      current = to.state;
      noteTime(toMoment);
      const changedPathsOf = relatedPaths(stateCauses.names());
      const state = patchBetween(before, recordedState(to.state), isWhole).map((line) => ({
        ...line,
        ...stateCauses.of(changedPathsOf(line.path)),
      }));
      const entitledAfter = entitlementSnapshotAt(to.state, valid ?? toMoment);
      const changed = changedEntitlements(entitledBefore, entitledAfter);
      const linesOf = <Name extends Resource | Feature, Value>(
        one: Readonly<Record<Name, Value>>,
        other: Readonly<Record<Name, Value>>,
      ) =>
        Object.fromEntries(
          changed
            .filter((name): name is Name & typeof name => Object.hasOwn(one, name))
            .map((name) => [name, { before: one[name], after: other[name], ...entitledCauses.of([name]) }]),
        );
      return {
        ...{ from: start, to: endAt(to, toMoment), valid, events, state },
        entitlements: {
          limits: linesOf(entitledBefore.limits, entitledAfter.limits),
          features: linesOf(entitledBefore.features, entitledAfter.features),
        },
      };
    },
  };
}

const endAt = ({ revision, at }: Folded<unknown>, moment: Moment): DifferenceEnd => ({
  revision,
  at: revision < 0 ? null : at,
  moment,
});

/** The cause for an override that has ended although no event records its end; undefined if no override has ended. */
function endOf({ override }: Organization, at: Moment): Cause | undefined {
  if (override?.until == null || override.until > at) return undefined;
  return {
    revision: override.event,
    type: 'HardLimitsOverridden',
    actor: null,
    at: override.at,
    endedAt: override.until,
  };
}

/** Whether the path names a sale. A difference replaces a sale with all its terms as one value. */
const isWhole = (path: string) => /^\/(plans|addOns)\/[^/]*$/.test(path);

/** The paths of the changes in one part of the state. */
function pathsBetween([field, key]: ChangedPart, previous: unknown, next: unknown): readonly string[] {
  const around = (value: unknown) => ({
    [sectionOf(field)]: key === undefined ? value : value === undefined ? {} : { [key]: value },
  });
  return patchBetween(around(previous), around(next), isWhole).map(({ path }) => path);
}

/** Returns a function that finds the paths which are equal to a path, inside it, or around it. */
function relatedPaths(paths: readonly string[]): (path: string) => readonly string[] {
  const known = new Set(paths);
  const inside = new Map<string, string[]>();
  for (const path of paths)
    for (const outer of [path, ...pathsAround(path)]) {
      const its = inside.get(outer);
      if (its) its.push(path);
      else inside.set(outer, [path]);
    }
  return (path) => [...(inside.get(path) ?? []), ...pathsAround(path).filter((outer) => known.has(outer))];
}

const pathsAround = (path: string): readonly string[] => {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
};
