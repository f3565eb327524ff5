import type { Message, Metadata, Moment, Recorded } from '@charter/decider';

/** The event behind a line of a difference, and who recorded it. */
export type Cause = Readonly<{
  revision: number;
  type: string;
  actor: Metadata['actor'] | null;
  /** When it was recorded. */
  at: Moment;
  /** From when on it holds, where it says so. */
  effectiveAt?: Moment;
  /** A correction of what was before: it holds from before the moment that is compared from. */
  backDated?: true;
  /** Nothing was recorded yet: the override that this event set has ended by itself at this moment. */
  endedAt?: Moment;
}>;

/** The newest ones, oldest first, and how many there are. */
export type Causes = Readonly<{ causes: readonly Cause[]; causesInAll: number }>;

/** Causes listed with each line: what a difference holds does not grow with the number of events. */
const CAUSES_MAX = 20;

/** @param before the moment that is compared from */
export function causeOf({ type, data, revision, metadata }: Recorded<Message>, before: Moment): Cause {
  const { actor, at } = metadata;
  const { effectiveAt } = data as { effectiveAt?: Moment };
  return {
    revision,
    type,
    actor,
    at,
    ...(effectiveAt !== undefined && { effectiveAt }),
    ...(effectiveAt !== undefined && effectiveAt < before && { backDated: true as const }),
  };
}

/** Causes by what they changed. */
export function causeCollector<Name extends string>() {
  const known = new Map<Name, { causes: Cause[]; causesInAll: number }>();
  return {
    add: (name: Name, cause: Cause): void => {
      const those = known.get(name) ?? { causes: [], causesInAll: 0 };
      those.causes = [...those.causes.slice(-(CAUSES_MAX - 1)), cause];
      those.causesInAll += 1;
      known.set(name, those);
    },
    of: (name: Name): Causes => known.get(name) ?? { causes: [], causesInAll: 0 },
    names: () => [...known.keys()],
  };
}

/** Several as one, each event once. What was left out of them stays out, and counted. */
export function mergeCauses(several: readonly Causes[]): Causes {
  const once = new Map(several.flatMap(({ causes }) => causes.map((cause) => [cause.revision, cause] as const)));
  const listed = [...once.values()].sort((one, other) => one.revision - other.revision);
  const leftOut = several.reduce((sum, { causes, causesInAll }) => sum + causesInAll - causes.length, 0);
  return { causes: listed.slice(-CAUSES_MAX), causesInAll: listed.length + leftOut };
}
